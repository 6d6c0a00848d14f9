import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureServerPrograms } from '../find-server.ts';
import { ensureNats } from '../nats.ts';
import { ensurePostgres } from '../postgres.ts';
import { ensureRedis } from '../redis.ts';
import type { RunningServer } from '../running-server.ts';
import { tally } from './tally.ts';
import { throwawayFolder } from './throwaway-folder.ts';

const serversKey = Symbol.for('tds.test-kit.servers');
const holder = globalThis as { [serversKey]?: { servers: RunningServer[]; dirs: string[] } };

const endings: (() => Promise<void>)[] = [];
const sharedKey = Symbol.for('tds.test-kit.shared');

/** Whether this process runs all test files of the run one after the other, and also ends the run. */
export const runsAllFiles = (): boolean => process.send === undefined;

/** For what the files of a process that `runsAllFiles` share: it ends before the servers do. */
export const endWithRun = (end: () => Promise<void>): void =>
  void Object.assign(globalThis, { [sharedKey]: endings.push(end) });

const ADDRESSES = ['POSTGRES_URL', 'NATS_SERVERS', 'REDIS_URL', 'REDIS_CACHE_URL'] as const;
type Address = (typeof ADDRESSES)[number];

/**
 * Starts the servers that all test files share, once for all that Jest runs; its workers learn the addresses by environment.
 * Where `npm test` has started them for all packages, it has left the addresses there already.
 */
export const startSharedServers = async (): Promise<void> => {
  if (holder[serversKey] || process.env.TDS_TEST_POSTGRES_URL) return;
  await ensureServerPrograms();
  const dirs = ['postgres', 'nats', 'redis', 'redis-cache'].map(throwawayFolder);
  const folder = (index: number) => ({ dir: dirs[index]!, throwaway: true });
  const [postgres, nats, redis, redisCache] = await Promise.all([
    ensurePostgres(folder(0)),
    ensureNats(folder(1)),
    ensureRedis({ ...folder(2), keeps: 'records' }),
    ensureRedis({ ...folder(3), keeps: 'cache', maxMemory: '32mb' }),
  ]);
  holder[serversKey] = { servers: [postgres, nats, redis, redisCache], dirs };
  const values: Record<Address, string> = {
    POSTGRES_URL: postgres.url,
    NATS_SERVERS: nats.servers,
    REDIS_URL: redis.url,
    REDIS_CACHE_URL: redisCache.url,
  };
  for (const name of ADDRESSES) process.env[`TDS_TEST_${name}`] = values[name];
};

/** Ends them and takes their addresses away: what this process starts later, as a repeat of a file, starts servers of its own. */
export const stopSharedServers = async (): Promise<void> => {
  await Promise.all(endings.splice(0).map((end) => end()));
  const running = holder[serversKey];
  if (!running) return;
  delete holder[serversKey];
  for (const name of ADDRESSES) delete process.env[`TDS_TEST_${name}`];
  await Promise.all(running.servers.map((server) => server.stop()));
  const log = readFileSync(path.join(String(running.dirs[0]), 'server.log'), 'utf8');
  tally('connections', log.match(/connection authorized:/g)?.length);
  for (const dir of running.dirs) rmSync(dir, { recursive: true, force: true });
};

/** The address that global setup has left. Throws in a test file whose name is not `*.int.test.ts`. */
export const sharedAddress = (name: Address): string => {
  const value = process.env[`TDS_TEST_${name}`];
  if (!value) throw new Error(`TDS_TEST_${name} is not set: only an *.int.test.ts has servers`);
  return value;
};
