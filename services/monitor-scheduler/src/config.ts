import { loadConfig, proxyUrls, wholeNumber } from '@tds/base';
import { z } from 'zod';

export const environmentSchema = z.object({
  /** Scheme and host of the video platform, or of its simulator. */
  PLATFORM_ORIGIN: z.url().default('https://www.youtube.com'),
  /** HTTP proxies to the platform, separated by commas; none means directly. */
  PLATFORM_PROXY_URLS: proxyUrls(),
  /** Bytes per UTC day that all proxies together may read for this service. */
  PLATFORM_PROXY_BYTES_PER_DAY: z.coerce.number().int().nonnegative().default(2_000_000_000),
  /** Concurrent checks of feeds by all instances together; the same in every instance. */
  PLACES_FOR_FEEDS: wholeNumber({ min: 1, max: 10_000 }).default(64),
  /** Concurrent checks by one instance. */
  FEEDS_AT_ONCE: wholeNumber({ min: 1, max: 1_000 }).default(32),
});

/** The service's own environment; the kit reads the rest. */
export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const given = loadConfig(environmentSchema, environment, { service: 'monitor-scheduler' });
  return {
    platformOrigin: given.PLATFORM_ORIGIN,
    proxyUrls: given.PLATFORM_PROXY_URLS,
    proxyBytesPerDay: given.PLATFORM_PROXY_BYTES_PER_DAY,
    feeds: { all: given.PLACES_FOR_FEEDS, most: given.FEEDS_AT_ONCE },
  };
};

export type Config = ReturnType<typeof readConfig>;
