import { durationMs, loadConfig, secret } from '@tds/base';
import { HOUR_MS } from '@tds/contracts';
import { platformFields, readPlatformSettings } from '@tds/video-platform';
import { z } from 'zod';

export const environmentSchema = z.object({
  ...platformFields('search'),
  /** Scheme and host of the platform's Data API. */
  PLATFORM_DATA_API_ORIGIN: z.url().default('https://www.googleapis.com'),
  /** Without a key, listings are read from the platform's pages. */
  PLATFORM_DATA_API_KEY: secret().optional(),
  /** How long new walks get the same listing. */
  LISTING_FRESH: durationMs().default(HOUR_MS),
  /** Age of an open reservation without a search before it is released. */
  ORPHANED_AFTER: durationMs().default(600_000),
});

/** The service's own environment; the kit reads the rest. */
export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const settings = loadConfig(environmentSchema, environment, { service: 'search' });
  return {
    platform: readPlatformSettings(settings),
    dataApiOrigin: settings.PLATFORM_DATA_API_ORIGIN,
    dataApiKey: settings.PLATFORM_DATA_API_KEY,
    listingFreshMs: settings.LISTING_FRESH,
    orphanedAfterMs: settings.ORPHANED_AFTER,
  };
};

export type Config = ReturnType<typeof readConfig>;
