import { commaSeparated, loadConfig, wholeNumber } from '@tds/base';
import { z } from 'zod';

export const environmentSchema = z.object({
  /** Scheme and host of the video platform, or of its simulator. */
  PLATFORM_ORIGIN: z.url().default('https://www.youtube.com'),
  /** HTTP proxies to the platform, separated by commas; none means directly. */
  PLATFORM_PROXY_URLS: commaSeparated()
    .prefault('')
    .pipe(z.array(z.url({ protocol: /^https?$/ }))),
  /** Bytes per UTC day that all proxies together may read for this service. */
  PLATFORM_PROXY_BYTES_PER_DAY: z.coerce.number().int().nonnegative().default(2_000_000_000),
  /** Feeds that one process checks concurrently. */
  FEEDS_AT_ONCE: wholeNumber({ min: 1, max: 1_000 }).default(32),
});

/** The service's own environment; the kit reads the rest. */
export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const given = loadConfig(environmentSchema, environment, { service: 'monitor-scheduler' });
  return {
    platformOrigin: given.PLATFORM_ORIGIN,
    proxyUrls: given.PLATFORM_PROXY_URLS,
    proxyBytesPerDay: given.PLATFORM_PROXY_BYTES_PER_DAY,
    feedsAtOnce: given.FEEDS_AT_ONCE,
  };
};

export type Config = ReturnType<typeof readConfig>;
