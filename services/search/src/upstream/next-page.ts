import { secondsToNextUtcDay, serviceError } from '@tds/contracts';
import type { Call, ListedVideo, Page } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { takeOfDay } from '../store/day-counts.ts';

const SCOPE = 'data_api_units';

/** Counts a unit of the Data API before it is spent: the whole system's day is never passed. */
export const takeUnit = async ({ db, now, limits }: Deps): Promise<void> => {
  if (await takeOfDay(db, { scope: SCOPE, most: limits.dataApiUnitsPerDay }, now())) return;
  throw serviceError('data_api_unit_cap', { retryAfterSeconds: secondsToNextUtcDay(now()) });
};

/** One page of a playlist, over the Data API where it is configured. */
export const nextPage = async (
  deps: Deps,
  playlistId: string,
  token: string | null,
  call: Call,
): Promise<Page<ListedVideo>> => {
  if (deps.dataApi === null) return deps.discovery.listPage(playlistId, token, call);
  await takeUnit(deps);
  return deps.dataApi.listPage(playlistId, token, call);
};
