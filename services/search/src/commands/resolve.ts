import { type RequestOf, search, secondsToNextUtcDay } from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { findCached, publishedDay, toFoundVideo } from '../application/found-video.ts';
import { lookUpVideos } from '../application/look-up-videos.ts';
import { findChannelId } from '../application/resolve-channel.ts';
import type { Deps } from '../deps.ts';
import { AVAILABLE_KEPT_MS, earlier, UNAVAILABLE_KEPT_MS } from '../domain/durations.ts';
import { listKey } from '../domain/source.ts';
import { takeOfDay } from '../store/day-counts.ts';
import { findKnownVideos, type KnownVideo, saveVideoList, useVideoList } from '../store/videos.ts';
import { hasDataApiUnit, type Units } from '../upstream/data-api-units.ts';

type ResolveRequest = RequestOf<typeof search.resolveVideos>;

const isFresh = ({ isAvailable, checkedAt }: KnownVideo, now: Date): boolean =>
  checkedAt > earlier(now, isAvailable ? AVAILABLE_KEPT_MS : UNAVAILABLE_KEPT_MS);

/** A free account's part of the pool: two full lists, so that five accounts have to use it up. */
const PART_OF_POOL = 1 / 5;

/**
 * Counts videos to look up at the platform. Without the Data API, whose units have a pool of their own, each costs a request, and those of
 * free accounts have one pool. Throws `look_up_cap` and `free_pool_cap`.
 */
const countLookUps = async (deps: Deps, { accountId, tier }: ResolveRequest, count: number) => {
  const { db, limits, now } = deps;
  if (count === 0) return;
  const isPooled = tier === 'free' && deps.dataApi === null;
  const pool = limits.freeLookUpsPerDay;
  const limit = Math.min(limits.lookUpsPerDay(tier), isPooled ? pool * PART_OF_POOL : Number.POSITIVE_INFINITY);
  const refuse = (code: 'look_up_cap' | 'free_pool_cap') =>
    serviceError(code, { retryAfterSeconds: secondsToNextUtcDay(now()) });
  await db.$transaction(async (tx) => {
    const accountAllowance = { scope: `look_ups:${accountId}`, limit };
    if (!(await takeOfDay(tx, accountAllowance, now(), count))) throw refuse('look_up_cap');
    const poolAllowance = { scope: 'look_ups:free', limit: pool };
    if (isPooled && !(await takeOfDay(tx, poolAllowance, now(), count))) throw refuse('free_pool_cap');
  });
};

/** Saves the list, or uses a known one without counting it. Throws `list_cap`. */
const keepList = async (
  { db, limits, now }: Deps,
  { accountId }: ResolveRequest,
  key: string,
  videoIds: readonly string[],
) => {
  if ((await useVideoList(db, key, now())) !== null) return;
  const allowance = { scope: `lists:${accountId}`, limit: limits.listsPerDay };
  if (!(await takeOfDay(db, allowance, now())))
    throw serviceError('list_cap', { retryAfterSeconds: secondsToNextUtcDay(now()) });
  await saveVideoList(db, key, videoIds, now());
};

/** Uses recent listings and lookups, and looks up the rest at the platform. */
export const resolveVideos = onCommand(search.resolveVideos, async (deps: Deps, request, context) => {
  const { db, now } = deps;
  const ids = [...new Set(request.videoIds)];
  const before = await findKnownVideos(db, ids);
  const staleIds = ids.filter((id) => {
    const video = before.get(id);
    return video === undefined || !isFresh(video, now());
  });
  await countLookUps(deps, request, staleIds.length);
  const unanswered = new Set(await lookUpVideos(deps, staleIds, { signal: context.signal, payer: request }));
  const videos = staleIds.length > 0 ? await findKnownVideos(db, ids) : before;
  const foundVideos = ids.flatMap((id) => {
    const video = videos.get(id);
    return video?.isAvailable ? [video] : [];
  });
  const foundIds = foundVideos.map(({ id }) => id);
  const key = listKey(foundIds);
  if (foundVideos.length > 0) await keepList(deps, request, key, foundIds);
  const cached = await findCached(deps, foundIds, context);
  return {
    found: foundVideos.map((video, position) => ({ position, ...toFoundVideo(video, cached) })),
    notFound: ids.filter((id) => !videos.get(id)?.isAvailable && !unanswered.has(id)),
    unanswered: ids.filter((id) => !videos.get(id)?.isAvailable && unanswered.has(id)),
    list: foundVideos.length > 0 ? `list:${key}` : null,
  };
});

/** Jobs leave this part of the units of a day to listings. */
const DATES_SHARE = 1 / 2;

const toDateUnits = ({ limits }: Deps): Units => ({
  dataApiUnitsPerDay: limits.dataApiUnitsPerDay * DATES_SHARE,
  freeDataApiUnitsPerDay: limits.freeDataApiUnitsPerDay * DATES_SHARE,
  dataApiUnitsPerAccount: limits.dataApiUnitsPerAccount * DATES_SHARE,
});

export const findPublishDates = onCommand(
  search.findPublishDates,
  async (deps: Deps, { videoIds, ...payer }, { signal, record }) => {
    const { db, dataApi, now } = deps;
    const before = await findKnownVideos(db, videoIds);
    const undatedIds = videoIds.filter((id) => !before.get(id)?.publishedAt);
    const mayAsk =
      dataApi !== null && undatedIds.length > 0 && (await hasDataApiUnit(db, toDateUnits(deps), payer, now()));
    if (mayAsk) {
      // What is known is answered in any case.
      await lookUpVideos(deps, undatedIds, { signal, payer }).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        record.add({ publishDates: error.code });
      });
    }
    const videos = mayAsk ? await findKnownVideos(db, videoIds) : before;
    const dates = [...videos.values()].flatMap(({ id, publishedAt }) => {
      const day = publishedDay(publishedAt);
      return day === null ? [] : [[id, day] as const];
    });
    return { dates: Object.fromEntries(dates) };
  },
);

export const resolveChannel = onCommand(
  search.resolveChannel,
  async (deps: Deps, { channel, accountId }, context) => ({
    channelId: await findChannelId(deps, channel, accountId, context),
  }),
);
