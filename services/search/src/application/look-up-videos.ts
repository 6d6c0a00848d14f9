import { ServiceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import { DATA_API_PAGE } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { withShortAddress } from '../domain/listing.ts';
import { saveKnownVideos, saveUnavailable } from '../store/videos.ts';
import { type Payer, toPayerId } from '../upstream/data-api-units.ts';

/** Concurrent lookups: 500 videos of 600 ms each take half of the time that a caller waits. */
const MAX_CONCURRENT_LOOK_UPS = 32;

type LookUpCall = Pick<Context, 'signal'> & { readonly payer: Payer };

const ask = async ({ dataApi, discovery }: Deps, ids: readonly string[], { signal, payer }: LookUpCall) => {
  if (dataApi !== null) return dataApi.lookUpVideos(ids, { signal, callerId: toPayerId(payer) });
  const callerId = payer.accountId;
  const videos = await Promise.all(ids.map((id) => discovery.lookUpVideo(id, { signal, callerId })));
  return videos.flatMap((video) => (video === null || video.broadcast === 'hidden' ? [] : [video]));
};

/** Looks up some videos and saves the answers. */
const lookUp = async (deps: Deps, ids: readonly string[], call: LookUpCall) => {
  const { db, now } = deps;
  const videos = (await ask(deps, ids, call)).map(withShortAddress);
  const foundIds = new Set(videos.map(({ id }) => id));
  const missingIds = ids.filter((id) => !foundIds.has(id));
  await saveKnownVideos(db, videos, now());
  if (missingIds.length > 0) await saveUnavailable(db, missingIds, now());
};

/** Errors that every other video would meet too today. */
const endsAll = ({ code }: ServiceError): boolean =>
  code === 'data_api_unit_cap' || code === 'budget_exhausted';

const toGroups = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));

/**
 * Looks up which of these videos are available. Returns those without an answer in time; an odd answer about one does not affect the
 * others. Throws `data_api_unit_cap` and `budget_exhausted`.
 */
export async function lookUpVideos(deps: Deps, ids: readonly string[], call: LookUpCall): Promise<string[]> {
  const groups = toGroups(ids, deps.dataApi === null ? 1 : DATA_API_PAGE).values();
  const unanswered: string[] = [];
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(deps.limits.lookUpMs)]);
  const work = async (): Promise<void> => {
    for (const group of groups) {
      try {
        if (signal.aborted) unanswered.push(...group);
        else await lookUp(deps, group, { ...call, signal });
      } catch (error) {
        if (!(error instanceof ServiceError) || endsAll(error)) throw error;
        unanswered.push(...group);
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_LOOK_UPS }, work));
  return unanswered;
}
