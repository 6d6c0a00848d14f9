import { loadConfig, wholeNumber } from '@tds/base';
import { platformFields, readPlatformSettings } from '@tds/video-platform';
import { z } from 'zod';

export const environmentSchema = z.object({
  ...platformFields('monitors'),
  /** Concurrent checks of feeds by all instances together; the same in every instance. */
  SLOTS_FOR_FEEDS: wholeNumber({ min: 1, max: 10_000 }).default(64),
  /** Concurrent checks by one instance. */
  FEEDS_AT_ONCE: wholeNumber({ min: 1, max: 1_000 }).default(32),
});

/** The service's own environment; the kit reads the rest. */
export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const values = loadConfig(environmentSchema, environment, { service: 'monitor-scheduler' });
  return {
    platform: readPlatformSettings(values),
    feeds: { all: values.SLOTS_FOR_FEEDS, concurrency: values.FEEDS_AT_ONCE },
  };
};

export type Config = ReturnType<typeof readConfig>;
