import { ServiceError } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import { DATA_API_PAGE } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { saveKnownVideos, saveUnavailable, type VideoSaid } from '../store/videos.ts';
import { type Payer, payerWord } from '../upstream/data-api-units.ts';

/** So that 500 videos of 600 ms each are looked at in half of the time that a caller waits. */
const AT_ONCE = 32;

type Call = Pick<Context, 'signal'> & { readonly payer: Payer };

const plain = (video: VideoSaid): VideoSaid => ({
  ...video,
  thumbnailUrl: video.thumbnailUrl?.split('?', 1)[0] ?? null,
});

const ask = async ({ dataApi, discovery }: Deps, ids: readonly string[], { signal, payer }: Call) => {
  if (dataApi !== null) return dataApi.lookUpVideos(ids, { signal, callerId: payerWord(payer) });
  const callerId = payer.accountId;
  const found = await Promise.all(ids.map((id) => discovery.lookUpVideo(id, { signal, callerId })));
  return found.filter((video) => video !== null);
};

/** What was said of some of the videos is kept at once. */
const lookUp = async (deps: Deps, ids: readonly string[], call: Call): Promise<void> => {
  const { db, now } = deps;
  const found = (await ask(deps, ids, call)).map(plain);
  const seen = new Set(found.map(({ id }) => id));
  const gone = ids.filter((id) => !seen.has(id));
  await saveKnownVideos(db, found, now());
  if (gone.length > 0) await saveUnavailable(db, gone, now());
};

/** What no other video would be answered otherwise, until a day or more has passed. */
const endsAll = ({ code }: ServiceError): boolean =>
  code === 'data_api_unit_cap' || code === 'budget_exhausted';

const inGroups = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));

/**
 * Asks the platform which of these videos can be seen. Resolves to those of which it could not tell, or not in time: a strange
 * answer about one is none about the others. Throws `data_api_unit_cap` and `budget_exhausted`.
 */
export async function lookUpVideos(deps: Deps, ids: readonly string[], call: Call): Promise<string[]> {
  const waiting = inGroups(ids, deps.dataApi === null ? 1 : DATA_API_PAGE).values();
  const untold: string[] = [];
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(deps.limits.lookUpMs)]);
  const work = async (): Promise<void> => {
    for (const group of waiting) {
      try {
        if (signal.aborted) untold.push(...group);
        else await lookUp(deps, group, { ...call, signal });
      } catch (error) {
        if (!(error instanceof ServiceError) || endsAll(error)) throw error;
        untold.push(...group);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return untold;
}
