import { existsSync } from 'node:fs';
import type { Surface } from '@tds/contracts';
import { kitVariablesOf, loadKitConfig } from '@tds/kit/config';
import { streamVariables } from '@tds/messaging/internals';
import type { z } from 'zod';
import { importFrom, inServices, loadSurfaces } from './services.ts';

/** What a service reads of its environment. */
export type Config = {
  readonly variables: readonly string[];
  /** Throws a ConfigError that lists every problem of an environment, as the service does when it starts. */
  check(environment: NodeJS.ProcessEnv): void;
};

type ConfigFile = {
  readonly environmentSchema: z.ZodObject;
  readonly readConfig: (environment: NodeJS.ProcessEnv) => unknown;
};

const configOf = async (surface: Surface): Promise<Config> => {
  const { name } = surface;
  const own = existsSync(inServices(name, 'src/config.ts'))
    ? ((await importFrom(name, 'config.ts')) as ConfigFile)
    : undefined;
  return {
    variables: [...kitVariablesOf(surface), ...Object.keys(own?.environmentSchema.shape ?? {})],
    check: (environment) => {
      loadKitConfig(name, environment);
      own?.readConfig(environment);
    },
  };
};

/** By service: what its `config.ts` declares, and what the kit reads for it. */
export const loadConfigs = async (): Promise<Readonly<Record<string, Config>>> => {
  const surfaces = await loadSurfaces();
  return Object.fromEntries(
    await Promise.all(surfaces.map(async (surface) => [surface.name, await configOf(surface)])),
  );
};

/** What the job that creates the streams reads. */
export const provisionerVariables = ['NATS_URL', 'NATS_NKEY_SEED', ...Object.keys(streamVariables)];
