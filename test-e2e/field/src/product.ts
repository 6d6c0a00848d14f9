import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Endpoints } from '@tds/local';
import { freePort, workspaceRoot } from '@tds/servers';
import { until } from '#support';

export type Product = { readonly endpoints: Endpoints; stop(): Promise<void> };

const READY_WITHIN_MS = 300_000;

/** Each account plays a few cases only, so one network makes many of them. */
const settings = {
  SIGNUP_PER_NETWORK_PER_HOUR: '10000',
  SIGNUP_PER_NETWORK_PER_DAY: '10000',
  LOG_LEVEL: 'error',
};

/** Starts the service as `npm start` does, with data of its own that is new. */
export const startProduct = async (dir: string, environment: NodeJS.ProcessEnv): Promise<Product> => {
  rmSync(dir, { recursive: true, force: true });
  const script = path.join(workspaceRoot, 'infra/dev/local/src/start.ts');
  const started = spawn(process.execPath, [script, '--data', dir], {
    env: { ...process.env, ...settings, PORT: String(await freePort()), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(started, 'exit');
  const file = path.join(dir, 'endpoints.json');
  const isUp = await until(() => existsSync(file) || started.exitCode !== null, {
    withinMs: READY_WITHIN_MS,
    everyMs: 250,
  });
  if (!isUp || started.exitCode !== null) throw new Error('the service has not started');
  return {
    endpoints: JSON.parse(readFileSync(file, 'utf8')) as Endpoints,
    stop: async () => {
      started.kill('SIGTERM');
      await ended;
    },
  };
};
