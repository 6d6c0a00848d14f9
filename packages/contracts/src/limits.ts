import { DAY_MS, SECOND_MS } from './deadlines.ts';
import type { Tier } from './principal.ts';

const MEBIBYTE = 1_048_576;

/** The limits of a tier (specification, part 8), per key, but for live keys, jobs, archives, look-ups and monitors, which are per account. Days are UTC. */
const free = {
  requestsPerMinute: 60,
  /** Concurrent cold fetches with a waiting caller. */
  concurrentColdFetches: 2,
  coldFetchesPerDay: 100,
  cacheReadsPerDay: 2_000,
  coldEnumerationsPerDay: 25,
  liveKeys: 2,
  activeJobs: 1,
  videosPerJob: 100,
  newJobsPerDay: 200,
  searchPagesPerDay: 50,
  /** Every admitted attempt counts, also one that fails. */
  searchAttemptsPerDay: 150,
  archiveBuildsPerDay: 20,
  /** Of the kept archives. */
  archiveBytes: 512 * MEBIBYTE,
  /** Videos that are looked up at the platform, for resolved texts. */
  lookUpsPerDay: 5_000,
  monitors: 1,
  /** Also cancelled ones and those with a missing source. */
  newMonitorsPerDay: 10,
  /** Idempotency-Keys for monitors that exist already. */
  monitorKeysPerDay: 100,
};
export type TierLimits = Readonly<typeof free>;

export const tierLimits: Readonly<Record<Tier, TierLimits>> = {
  free,
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

/** Cold fetches per UTC day of all keys of an account that is younger than this. */
export const newAccountLimits = { coldFetchesPerDay: 25, days: 2 } as const;

/** Daily limits of all accounts together. */
export const globalLimits = {
  coldFetchesPerDay: 50_000,
  freePoolColdFetchesPerDay: 5_000,
  dataApiUnitsPerDay: 6_000,
  freePoolDataApiUnitsPerDay: 2_000,
} as const;

/** One account's part of the shared limit: the longest channel fits. */
export const DATA_API_UNITS_PER_ACCOUNT = 900;

/** New resolved lists of an account per day; a known list does not count. */
export const RESOLVED_LISTS_PER_DAY = 200;

/** Channel names that an account may have resolved per day, cached or not. */
export const CHANNEL_RESOLUTIONS_PER_DAY = 1_000;

/** Videos whose languages an account may list per day, cached or not. */
export const VIDEO_LANGUAGES_PER_DAY = CHANNEL_RESOLUTIONS_PER_DAY;

/** Rows of one page of a listing; offsets are multiples of it. */
export const LISTING_PAGE = 500;
/** The platform's limit of an uploads list. */
export const MAX_LISTED_VIDEOS = 20_000;
/** Unique videos of a resolved list. */
export const MAX_RESOLVED_VIDEOS = 500;

/** Credits that every account gets at the start of a month and loses at its end. */
export const FREE_CREDITS_PER_MONTH = 100;

/** Of mails and events that say that credits are low. */
export const MAX_LOW_BALANCE_THRESHOLD = 1_000_000_000;

/** In characters of UTF-16. */
export const MAX_ACCOUNT_NAME_LENGTH = 60;

/** How long a replaced key, or one revoked with a grace period, still works. */
export const KEY_GRACE_HOURS = 24;

const DATE_LENGTH = 'YYYY-MM-DD'.length;
const MONTH_LENGTH = 'YYYY-MM'.length;

/** Days since 1970, for cheap comparison. */
export const utcDayNumber = (now: Date): number => Math.floor(now.getTime() / DAY_MS);

const lastDay = { number: Number.NaN, text: '' };

/** The UTC day on which daily limits count at this moment, YYYY-MM-DD. Cached, because every request needs it. */
export const utcDay = (now: Date): string => {
  const number = utcDayNumber(now);
  if (number !== lastDay.number)
    Object.assign(lastDay, { number, text: now.toISOString().slice(0, DATE_LENGTH) });
  return lastDay.text;
};

/** The UTC month of free credits, YYYY-MM. */
export const utcMonth = (now: Date): string => utcDay(now).slice(0, MONTH_LENGTH);

/** Whole seconds until daily limits clear, at 00:00 UTC; never 0. */
export const secondsToNextUtcDay = (now: Date): number =>
  Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / SECOND_MS);
