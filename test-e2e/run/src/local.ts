import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoints } from '@tds/local';
import { workspaceRoot } from '@tds/servers';
import { outsideAt, settingsOf } from '#support';
import type { Installed, StartOptions } from './installed.ts';

const LOOK_EVERY_MS = 250;
const WITHIN_MS = 180_000;

const withoutUser = (address: string): string => {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
};

/** What `npm start -- --processes` starts, with data of its own. */
export const startLocally = async ({ dir }: StartOptions): Promise<Installed> => {
  const outside = await outsideAt('127.0.0.1', '127.0.0.1');
  const data = path.join(dir, 'data');
  const endpointsFile = path.join(data, 'endpoints.json');
  rmSync(data, { recursive: true, force: true });
  const script = path.join(workspaceRoot, 'infra/dev/local/src/start.ts');
  const env = { ...process.env, ...settingsOf(outside), PORT: String(outside.ports.gateway) };
  const started = spawn(process.execPath, [script, '--processes', '--data', data], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(started, 'exit');
  for (const deadline = performance.now() + WITHIN_MS; !existsSync(endpointsFile); await delay(LOOK_EVERY_MS))
    if (started.exitCode !== null || performance.now() > deadline) throw new Error('npm start has not come up');
  const { postgres, nats, redis, redisCache } = JSON.parse(readFileSync(endpointsFile, 'utf8')) as Endpoints;
  return {
    installation: {
      outside,
      places: { postgres, nats, redis: withoutUser(redis), redisCache: withoutUser(redisCache) },
      secretsFile: path.join(data, 'secrets.json'),
      health: {},
    },
    stop: async () => {
      started.kill('SIGTERM');
      await ended;
    },
  };
};
