import { existsSync } from 'node:fs';
import type { Outside, Surface } from '@tds/contracts';
import { listKitFields, loadKitConfig } from '@tds/kit/config';
import { streamVariables } from '@tds/messaging/internals';
import { z } from 'zod';
import { importFrom, inServices, loadSurfaces } from './services.ts';

/** What a service reads of its environment, and whom it connects to. */
export type Config = {
  readonly variables: readonly string[];
  /** The variables that hold credentials; the service starts without an optional one. */
  readonly secrets: readonly { readonly name: string; readonly optional: boolean }[];
  readonly outside: readonly Outside[];
  /** Throws a ConfigError that lists every problem of an environment, as the service does when it starts. */
  check(environment: NodeJS.ProcessEnv): void;
};

type ConfigFile = {
  readonly environmentSchema: z.ZodObject;
  readonly readConfig: (environment: NodeJS.ProcessEnv) => unknown;
};

/** Whether the field, or one that it wraps, was declared as `confidential`. */
const isSecret = (field: z.core.$ZodType): boolean => {
  if (z.globalRegistry.get(field)?.confidential) return true;
  const inner: readonly unknown[] = Object.values(field._zod.def);
  return inner.some((part) => part instanceof z.core.$ZodType && isSecret(part));
};

const secretsIn = (
  fields: Readonly<Record<string, z.ZodType>>,
  isOptional: (name: string, field: z.ZodType) => boolean,
): Config['secrets'] =>
  Object.entries(fields)
    .filter(([, field]) => isSecret(field))
    .map(([name, field]) => ({ name, optional: isOptional(name, field) }));

const loadConfig = async (surface: Surface): Promise<Config> => {
  const { name, outside } = surface;
  const configFile = existsSync(inServices(name, 'src/config.ts'))
    ? ((await importFrom(name, 'config')) as ConfigFile)
    : undefined;
  const [kitFields, ownFields] = [listKitFields(surface), configFile?.environmentSchema.shape ?? {}];
  return {
    variables: Object.keys({ ...kitFields, ...ownFields }),
    secrets: [
      // An installation makes all that the kit needs; a bucket for objects is its own choice.
      ...secretsIn(kitFields, (variable) => variable.startsWith('OBJECTS_S3_')),
      ...secretsIn(ownFields as typeof kitFields, (_, field) => field.safeParse(undefined).success),
    ],
    outside,
    check: (environment) => {
      loadKitConfig(name, environment);
      configFile?.readConfig(environment);
    },
  };
};

/** By service: what its `config.ts` declares, and what the kit reads for it. */
export const loadConfigs = async (): Promise<Readonly<Record<string, Config>>> => {
  const surfaces = await loadSurfaces();
  return Object.fromEntries(
    await Promise.all(surfaces.map(async (surface) => [surface.name, await loadConfig(surface)])),
  );
};

/** What the job that creates the streams reads. */
export const provisionerVariables = ['NATS_URL', 'NATS_NKEY_SEED', ...Object.keys(streamVariables)];
