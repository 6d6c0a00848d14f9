import { commaSeparated, durationMs, loadConfig } from '@tds/base';
import { videoId } from '@tds/contracts';
import { proxyByteFields, proxyBytesOf } from '@tds/video-platform';
import { z } from 'zod';

/** An open reservation that is older and has no row is orphaned. */
const ORPHANED_AFTER_MS = 10 * 60_000;

/** More concurrent requests than any platform accepts. */
const MOST_PLACES = 10_000;

const proxyUrls = commaSeparated()
  .prefault('')
  .pipe(z.array(z.url({ protocol: /^https?$/ })));

/** Failures of fewer videos do not open a circuit. */
const LEAST_CANARIES = 3;

const canaryVideos = commaSeparated()
  .prefault('')
  .pipe(z.array(videoId))
  .refine(
    (ids) => ids.length === 0 || new Set(ids).size >= LEAST_CANARIES,
    `expected none or at least ${LEAST_CANARIES} different videos, separated by commas`,
  );

export const environmentSchema = z.object({
  /** Scheme and host of the video platform, or of its simulator. */
  PLATFORM_ORIGIN: z.url().default('https://www.youtube.com'),
  /** HTTP proxies to the platform, separated by commas; none means directly. */
  PLATFORM_PROXY_URLS: proxyUrls,
  ...proxyByteFields(10_000_000_000),
  /** Known videos with captions and translations, for the canary; empty disables it. */
  CANARY_VIDEOS: canaryVideos,
  /** Concurrent fetches of all instances together, for waiting callers and for jobs. */
  PLACES_FOR_READS: z.coerce.number().int().min(1).max(MOST_PLACES).default(32),
  PLACES_FOR_JOBS: z.coerce.number().int().min(1).max(MOST_PLACES).default(24),
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
    places: [given.PLACES_FOR_READS, given.PLACES_FOR_JOBS] as const,
    orphanedAfterMs: given.ORPHANED_AFTER,
  };
};

export type Config = ReturnType<typeof readConfig>;
