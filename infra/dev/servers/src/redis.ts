import path from 'node:path';
import { findServer } from './find-server.ts';
import { writePrivate } from './private-files.ts';
import { answersOn, type RunningServer, type ServerOptions, startProgram } from './running-server.ts';

export interface RedisOptions extends ServerOptions {
  /** `records` never drops a key and refuses writes when it is full; `cache` drops the least recently read keys. */
  readonly keeps: 'records' | 'cache';
  /** Its users, as an `aclfile` has them; without them every client may do everything. */
  readonly users?: string;
  /** As Redis writes sizes; 256mb. */
  readonly maxMemory?: string;
}

export type RunningRedis = RunningServer & { readonly url: string };

/** Redis holds only data that may be lost, so it writes nothing to disk. */
const settings = { bind: '127.0.0.1', save: '', appendonly: 'no', databases: '4096' };
const MAX_MEMORY = '256mb';

/** A dropped limit is no limit: so counters never make room for cached values. */
const whenFull = { records: 'noeviction', cache: 'allkeys-lru' } as const;

/** Starts Redis without persistence. Only the loopback interface reaches it. */
export const ensureRedis = async (options: RedisOptions): Promise<RunningRedis> => {
  const { keeps, maxMemory = MAX_MEMORY, users } = options;
  const memory = { maxmemory: maxMemory, 'maxmemory-policy': whenFull[keeps] };
  const program = {
    ...(await findServer('redis-server')),
    name: 'Redis',
    argsAt: (port: number, dir: string) => {
      const aclfile = path.join(dir, 'users.acl');
      if (users !== undefined) writePrivate(aclfile, users);
      const rights = users === undefined ? {} : { aclfile };
      return Object.entries({ ...settings, ...memory, ...rights, port, dir }).flatMap(([name, value]) => [
        `--${name}`,
        String(value),
      ]);
    },
    // A server with users answers that it needs a name first.
    isReadyAt: (port: number) => answersOn(port, /^(\+PONG|-NOAUTH)/, 'PING\r\n'),
  };
  const server = await startProgram(program, options);
  return Object.assign(server, { url: `redis://127.0.0.1:${server.port}` });
};
