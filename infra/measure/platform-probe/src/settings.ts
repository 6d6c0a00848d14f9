import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { loadConfig } from '@tds/base';
import {
  isRotating,
  openStrategies,
  type PlatformSettings,
  platformFields,
  readPlatformSettings,
  readTokenSettings,
  type Strategy,
  type TokenSettings,
  tokenFields,
} from '@tds/video-platform';
import { z } from 'zod';
import type { AddressKind } from './report.ts';

type Exit = PlatformSettings['exits'][number];

export type ProbeSettings = {
  readonly platform: PlatformSettings;
  readonly poTokens: TokenSettings | null;
  readonly strategies: readonly Strategy[];
};

const schema = z.object({ ...platformFields('transcripts'), ...tokenFields });

/** A file of `NAME=value` lines, as `create-secrets:compose` takes it. */
export const readSettingsFile = (file: string): NodeJS.ProcessEnv => parseEnv(readFileSync(file, 'utf8'));

/** The file of strategies is read once. */
const silent: Parameters<typeof openStrategies>[1] = {
  log: { info: () => undefined, error: () => undefined },
  metrics: { gauge: () => ({ set: () => undefined, reset: () => undefined }) },
  onStop: (_name, stop) => void stop(),
};

/** The settings that the fetcher would have. Throws an error that shows no value. */
export const readProbeSettings = (environment: NodeJS.ProcessEnv): ProbeSettings => {
  const config = loadConfig(schema, environment, { service: 'platform probe' });
  const platform = readPlatformSettings(config);
  return {
    platform,
    poTokens: readTokenSettings(config),
    strategies: openStrategies(platform.strategiesFile, silent)(),
  };
};

export const classifyAddress = (exit: Exit): AddressKind => {
  if (isRotating(exit)) return 'session';
  if (exit.proxyUrl !== undefined) return 'proxy';
  return exit.sourceAddress === undefined ? 'direct' : 'source';
};
