import type { Tier } from './identity/principal.ts';

/** What one tier grants (specification, part 8). Days are UTC. */
export type TierLimits = {
  readonly requestsPerMinute: number;
  /** Cold fetches that callers wait for at once. */
  readonly concurrentColdFetches: number;
  readonly coldFetchesPerDay: number;
  readonly cacheReadsPerDay: number;
  readonly coldEnumerationsPerDay: number;
  /** Keys of one account that work at once. */
  readonly liveKeys: number;
  readonly activeJobs: number;
  readonly videosPerJob: number;
  readonly newJobsPerDay: number;
  readonly searchPagesPerDay: number;
  /** Every admitted attempt counts, also one that fails. */
  readonly searchAttemptsPerDay: number;
  /** Archives of one account that are begun to be built on a day, and the bytes of those that are kept at a time. */
  readonly archiveBuildsPerDay: number;
  readonly archiveBytes: number;
  /** Videos of one account that the platform is asked about on a day, for texts that are resolved. */
  readonly lookUpsPerDay: number;
  readonly monitors: number;
  /** Monitors that one account begins on a day, also those that it cancels, or whose source is not there. */
  readonly newMonitorsPerDay: number;
  /** Idempotency-Keys of a day that name a monitor which is there already. */
  readonly monitorKeysPerDay: number;
};

const MEBIBYTE = 1_048_576;

/** Per key, but for live keys, jobs, archives, look-ups and monitors, which are per account. */
export const tierLimits: Readonly<Record<Tier, TierLimits>> = {
  free: {
    requestsPerMinute: 60,
    concurrentColdFetches: 2,
    coldFetchesPerDay: 100,
    cacheReadsPerDay: 2_000,
    coldEnumerationsPerDay: 25,
    liveKeys: 2,
    activeJobs: 1,
    videosPerJob: 100,
    newJobsPerDay: 200,
    searchPagesPerDay: 50,
    searchAttemptsPerDay: 150,
    archiveBuildsPerDay: 20,
    archiveBytes: 512 * MEBIBYTE,
    lookUpsPerDay: 5_000,
    monitors: 1,
    newMonitorsPerDay: 10,
    monitorKeysPerDay: 100,
  },
  paid: {
    requestsPerMinute: 300,
    concurrentColdFetches: 10,
    coldFetchesPerDay: 20_000,
    cacheReadsPerDay: 100_000,
    coldEnumerationsPerDay: 25,
    liveKeys: 5,
    activeJobs: 5,
    videosPerJob: 500,
    newJobsPerDay: 2_000,
    searchPagesPerDay: 2_000,
    searchAttemptsPerDay: 6_000,
    archiveBuildsPerDay: 200,
    archiveBytes: 20 * 1_024 * MEBIBYTE,
    lookUpsPerDay: 50_000,
    monitors: 25,
    newMonitorsPerDay: 250,
    monitorKeysPerDay: 2_500,
  },
};

/** What all keys of a new account together may fetch cold on each UTC day while it is younger than these days of 24 hours. */
export const newAccountLimits = { coldFetchesPerDay: 25, days: 2 } as const;

/** What all accounts share on one day. */
export const globalLimits = {
  coldFetchesPerDay: 50_000,
  freePoolColdFetchesPerDay: 5_000,
  dataApiUnitsPerDay: 6_000,
  freePoolDataApiUnitsPerDay: 2_000,
} as const;

/** Of what all share, one account's: the longest channel fits. */
export const DATA_API_UNITS_PER_ACCOUNT = 900;

/** New lists of resolved videos that an account may have kept on one day; a list that is known counts nothing. */
export const RESOLVED_LISTS_PER_DAY = 200;

/** Names of channels that all keys of an account may have resolved on one day, from the cache or not. */
export const CHANNEL_RESOLUTIONS_PER_DAY = 1_000;

/** Rows of one page of a listing; offsets are multiples of it. */
export const LISTING_PAGE = 500;
/** As long as the platform lets a list of uploads be. */
export const MOST_LISTED_VIDEOS = 20_000;
/** Unique videos of a resolved list. */
export const MOST_RESOLVED_VIDEOS = 500;

/** Credits that every account gets at the start of a month and loses at its end. */
export const FREE_CREDITS_PER_MONTH = 100;

/** The credits that a customer may let one key spend on one day. */
export const dailyCreditCapBounds = { least: 1, most: 1_000_000 } as const;

/** How long a key that was replaced, or revoked with a grace period, still works. */
export const KEY_GRACE_HOURS = 24;

const DAY_SECONDS = 86_400;
const MS = 1_000;
const DAY_MS = DAY_SECONDS * MS;
const DATE_LENGTH = 'YYYY-MM-DD'.length;
const MONTH_LENGTH = 'YYYY-MM'.length;

/** Days since 1970, by which days compare as cheaply as numbers. */
export const utcDayNumber = (now: Date): number => Math.floor(now.getTime() / DAY_MS);

const lastDay = { number: Number.NaN, text: '' };

/** The UTC day on which daily limits count at this moment, YYYY-MM-DD. Writing it anew for every request would cost. */
export const utcDay = (now: Date): string => {
  const number = utcDayNumber(now);
  if (number !== lastDay.number)
    Object.assign(lastDay, { number, text: now.toISOString().slice(0, DATE_LENGTH) });
  return lastDay.text;
};

/** The UTC month that free credits are of, YYYY-MM. */
export const utcMonth = (now: Date): string => utcDay(now).slice(0, MONTH_LENGTH);

/** Whole seconds until daily limits clear, at 00:00 UTC; never 0. */
export const secondsToNextUtcDay = (now: Date): number =>
  Math.ceil(DAY_SECONDS - ((now.getTime() / MS) % DAY_SECONDS));
