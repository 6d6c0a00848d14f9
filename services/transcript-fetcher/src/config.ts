import { commaSeparated, durationMs, loadConfig, wholeNumber } from '@tds/base';
import { videoId } from '@tds/contracts';
import {
  type PlatformSettings,
  platformFields,
  readPlatformSettings,
  readTokenSettings,
  tokenFields,
} from '@tds/video-platform';
import { z } from 'zod';
import type { Priority } from './domain/operation.ts';

/** An open reservation that is older and has no row is orphaned. */
const ORPHANED_AFTER_MS = 10 * 60_000;

/** More concurrent requests than any platform accepts. */
const MAX_SLOTS = 10_000;
const slots = wholeNumber({ min: 1, max: MAX_SLOTS });

const DEFAULT_SLOTS = { reads: 32, jobs: 24 } as const;
/** Of a fixed address on the real platform, which blocks an address that asks too much at once. */
const SLOTS_PER_ADDRESS = { reads: 8, jobs: 4 } as const;

const defaultSlots = ({ pacedAddresses }: PlatformSettings, priority: Priority): number =>
  Math.min(DEFAULT_SLOTS[priority], SLOTS_PER_ADDRESS[priority] * (pacedAddresses ?? Number.POSITIVE_INFINITY));

/** Failures of fewer videos do not open a circuit. */
const MIN_CANARIES = 3;

/** Talks and films of the real platform that have had captions and translations for years. */
const WELL_KNOWN_VIDEOS = ['jNQXAC9IVRw', 'dQw4w9WgXcQ', 'UF8uR6Z6KLc', 'iG9CE55wbtY', 'arj7oStGLkU'];

const canaryVideos = commaSeparated()
  .transform((ids) => (ids.join() === 'none' ? [] : ids))
  .pipe(z.array(videoId))
  .refine(
    (ids) => ids.length === 0 || new Set(ids).size >= MIN_CANARIES,
    `expected none or at least ${MIN_CANARIES} different videos, separated by commas`,
  );

export const environmentSchema = z.object({
  ...platformFields('transcripts'),
  ...tokenFields,
  /** Known videos with captions and translations, for the canary; `none` disables it. On the real platform it has five of its own. */
  CANARY_VIDEOS: canaryVideos.optional(),
  /** Concurrent fetches of all instances together, for waiting callers and for jobs; the same in every instance. */
  SLOTS_FOR_READS: slots.optional(),
  SLOTS_FOR_JOBS: slots.optional(),
  /** Concurrent fetches of one instance; each may hold a caption body of 16 MiB. */
  READS_AT_ONCE: slots.default(DEFAULT_SLOTS.reads),
  JOBS_AT_ONCE: slots.default(DEFAULT_SLOTS.jobs),
  /** Cold fetches a day of an account in its first days, in place of the limit that customers are promised. */
  NEW_ACCOUNT_FETCHES_PER_DAY: wholeNumber({ min: 1, max: 1_000_000 }).optional(),
  /** Age at which an open reservation without an operation is released. */
  ORPHANED_AFTER: durationMs().default(ORPHANED_AFTER_MS),
});

/** The service's own environment; the kit reads the rest. */
export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const settings = loadConfig(environmentSchema, environment, { service: 'transcript-fetcher' });
  const platform = readPlatformSettings(settings);
  const {
    SLOTS_FOR_READS: reads = defaultSlots(platform, 'reads'),
    SLOTS_FOR_JOBS: jobs = defaultSlots(platform, 'jobs'),
  } = settings;
  return {
    platform,
    poTokens: readTokenSettings(settings),
    canaryVideos: settings.CANARY_VIDEOS ?? (platform.isReal ? WELL_KNOWN_VIDEOS : []),
    slots: {
      all: { reads, jobs },
      max: { reads: Math.min(settings.READS_AT_ONCE, reads), jobs: Math.min(settings.JOBS_AT_ONCE, jobs) },
    },
    newAccountFetches: settings.NEW_ACCOUNT_FETCHES_PER_DAY,
    orphanedAfterMs: settings.ORPHANED_AFTER,
  };
};

export type Config = ReturnType<typeof readConfig>;
