import { commaSeparated, durationMs, loadConfig, proxyUrls, wholeNumber } from '@tds/base';
import { videoId } from '@tds/contracts';
import { proxyByteFields, proxyBytesOf } from '@tds/video-platform';
import { z } from 'zod';

/** An open reservation that is older and has no row is orphaned. */
const ORPHANED_AFTER_MS = 10 * 60_000;

/** More concurrent requests than any platform accepts. */
const MAX_SLOTS = 10_000;
const slots = wholeNumber({ min: 1, max: MAX_SLOTS });

/** Failures of fewer videos do not open a circuit. */
const MIN_CANARIES = 3;

const canaryVideos = commaSeparated()
  .prefault('')
  .pipe(z.array(videoId))
  .refine(
    (ids) => ids.length === 0 || new Set(ids).size >= MIN_CANARIES,
    `expected none or at least ${MIN_CANARIES} different videos, separated by commas`,
  );

export const environmentSchema = z.object({
  /** Scheme and host of the video platform, or of its simulator. */
  PLATFORM_ORIGIN: z.url().default('https://www.youtube.com'),
  /** HTTP proxies to the platform, separated by commas; none means directly. */
  PLATFORM_PROXY_URLS: proxyUrls(),
  ...proxyByteFields(10_000_000_000),
  /** Known videos with captions and translations, for the canary; empty disables it. */
  CANARY_VIDEOS: canaryVideos,
  /** Concurrent fetches of all instances together, for waiting callers and for jobs; the same in every instance. */
  PLACES_FOR_READS: slots.default(32),
  PLACES_FOR_JOBS: slots.default(24),
  /** Concurrent fetches of one instance; each may hold a caption body of 16 MiB. */
  READS_AT_ONCE: slots.default(32),
  JOBS_AT_ONCE: slots.default(24),
  /** Cold fetches a day of an account in its first days, in place of the limit that customers are promised. */
  NEW_ACCOUNT_FETCHES_PER_DAY: wholeNumber({ min: 1, max: 1_000_000 }).optional(),
  /** Age at which an open reservation without an operation is given back. */
  ORPHANED_AFTER: durationMs().default(ORPHANED_AFTER_MS),
});

/** The service's own environment; the kit reads the rest. */
export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const given = loadConfig(environmentSchema, environment, { service: 'transcript-fetcher' });
  return {
    platformOrigin: given.PLATFORM_ORIGIN,
    proxyUrls: given.PLATFORM_PROXY_URLS,
    proxyBytes: proxyBytesOf(given),
    canaryVideos: given.CANARY_VIDEOS,
    slots: {
      all: [given.PLACES_FOR_READS, given.PLACES_FOR_JOBS] as const,
      most: [
        Math.min(given.READS_AT_ONCE, given.PLACES_FOR_READS),
        Math.min(given.JOBS_AT_ONCE, given.PLACES_FOR_JOBS),
      ] as const,
    },
    newAccountFetches: given.NEW_ACCOUNT_FETCHES_PER_DAY,
    orphanedAfterMs: given.ORPHANED_AFTER,
  };
};

export type Config = ReturnType<typeof readConfig>;
