import { mkdirSync, realpathSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { findServer } from './find-server.ts';
import { onFreePort } from './free-port.ts';
import { writePrivate } from './private-files.ts';
import { type LifeOptions, type RunningServer, runServer } from './running-server.ts';
import { endStaleServer } from './stale-server.ts';

export interface RedisOptions extends LifeOptions {
  /** Its folder: the log. */
  readonly dir: string;
  readonly port?: number | undefined;
  readonly throwaway?: boolean;
  /** `records` never drops anything and refuses what does not fit; `cache` drops what was not read for longest. */
  readonly keeps: 'records' | 'cache';
  /** Its users, as an `aclfile` has them; without them every client may do everything. */
  readonly users?: string;
  /** As Redis writes sizes; 256mb. */
  readonly maxMemory?: string;
}

export interface RunningRedis extends RunningServer {
  readonly url: string;
}

/** Redis holds only what may vanish, so nothing is written to disk. */
const settings = {
  bind: '127.0.0.1',
  save: '',
  appendonly: 'no',
  databases: '4096',
};
const MAX_MEMORY = '256mb';

/** A limit that is dropped is no limit: so what is counted never makes room for what is cached. */
const whenFull = { records: 'noeviction', cache: 'allkeys-lru' } as const;

/** One with users answers that it wants a name first. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => answer(/^(\+PONG|-NOAUTH)/.test(data.toString())));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });

/** Starts Redis without persistence. Only the loopback interface reaches it. */
export const ensureRedis = async (options: RedisOptions): Promise<RunningRedis> => {
  const { throwaway = false, keeps, maxMemory = MAX_MEMORY, users, keepAlive, onEvent } = options;
  const { command, env } = await findServer('redis-server');
  mkdirSync(options.dir, { recursive: true });
  const dir = realpathSync(options.dir);
  await endStaleServer('Redis', dir, 'SIGTERM');
  const aclfile = path.join(dir, 'users.acl');
  if (users !== undefined) writePrivate(aclfile, users);
  const rights = users === undefined ? {} : { aclfile };
  const memory = { maxmemory: maxMemory, 'maxmemory-policy': whenFull[keeps] };

  const server = await onFreePort(options.port, (port) =>
    runServer({
      port,
      keepAlive,
      onEvent,
      spec: {
        name: 'Redis',
        dir,
        command,
        args: Object.entries({ ...settings, ...memory, ...rights, port, dir }).flatMap(([key, value]) => [
          `--${key}`,
          String(value),
        ]),
        env,
        stopSignal: 'SIGTERM',
        isReady: () => answers(port),
        readyWithinMs: 30_000,
        throwaway,
      },
    }),
  );
  return Object.assign(server, { url: `redis://127.0.0.1:${server.port}` });
};
