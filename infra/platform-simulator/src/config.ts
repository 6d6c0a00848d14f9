import { z } from 'zod';

const configSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  PLATFORM_SIMULATOR_SEED: z.coerce.number().int().nonnegative().optional(),
  PLATFORM_SIMULATOR_LATENCY_MS: z.coerce.number().int().nonnegative().default(0),
});

/** Reads the environment of the simulator's own process. @throws ZodError naming what is malformed. */
export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const config = configSchema.parse(environment);
  return {
    port: config.PORT,
    latencyMs: config.PLATFORM_SIMULATOR_LATENCY_MS,
    ...(config.PLATFORM_SIMULATOR_SEED === undefined ? {} : { seed: config.PLATFORM_SIMULATOR_SEED }),
  };
};
