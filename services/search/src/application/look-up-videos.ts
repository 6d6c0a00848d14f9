import type { Context } from '@tds/service-kit';
import { DATA_API_PAGE } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { saveKnownVideos, saveUnavailable, type VideoSaid } from '../store/known-videos.ts';

/** Videos that are asked about at once where each takes a request of its own. */
const AT_ONCE = 8;

type Call = Pick<Context, 'signal'> & { readonly callerId: string };

const plain = (video: VideoSaid): VideoSaid => ({
  ...video,
  thumbnailUrl: video.thumbnailUrl?.split('?', 1)[0] ?? null,
});

const askBatch = async (deps: Deps, ids: readonly string[], call: Call): Promise<readonly VideoSaid[]> => {
  const { dataApi, discovery } = deps;
  if (dataApi === null) {
    const found = await Promise.all(ids.map((id) => discovery.lookUpVideo(id, call)));
    return found.filter((video) => video !== null);
  }
  return dataApi.lookUpVideos(ids, call);
};

/** Asks the platform in bounded batches which of these videos can be seen; what each batch said is kept at once. */
export async function lookUpVideos(deps: Deps, ids: readonly string[], call: Call): Promise<void> {
  const { db, now, dataApi } = deps;
  const size = dataApi === null ? AT_ONCE : DATA_API_PAGE;
  for (let from = 0; from < ids.length; from += size) {
    const batch = ids.slice(from, from + size);
    const found = (await askBatch(deps, batch, call)).map(plain);
    const seen = new Set(found.map(({ id }) => id));
    await saveKnownVideos(db, found, now());
    await saveUnavailable(
      db,
      batch.filter((id) => !seen.has(id)),
      now(),
    );
  }
}
