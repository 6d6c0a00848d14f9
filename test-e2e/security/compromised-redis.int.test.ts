import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RedisServer, Surface } from '@tds/contracts';
import { loadSurfaces } from '@tds/local';
import { OPERATOR } from '@tds/messaging/internals';
import {
  buildRedisPermissions,
  type RedisPermissions,
  type RedisUsers,
  redisUsers,
} from '@tds/provisioning/rights';
import { startTestRedis, type TestRedis } from '@tds/test-kit';
import { Redis } from 'ioredis';

const servers = ['records', 'cache'] as const;
/** What all may say before the server knows who they are. */
const withoutRights: ReadonlySet<string> = new Set(['auth', 'hello', 'quit', 'reset']);
/** For lack of rights, or to everybody. */
const REFUSED = /NOPERM|user executing the script can't|(MODULE|DEBUG) command not allowed/;

/** As the server lists them: name, how many words it has at least, and its parts. */
type CommandInfo = readonly [name: string, arity: number, ...unknown[]];
const partsOf = (info: CommandInfo): readonly CommandInfo[] => (info[9] ?? []) as readonly CommandInfo[];
const leavesOf = (info: CommandInfo): readonly CommandInfo[] =>
  partsOf(info).length > 0 ? partsOf(info).flatMap(leavesOf) : [info];

describe('a compromised service', () => {
  let surfaces: readonly Surface[];
  let users: RedisUsers;
  const running = {} as Record<RedisServer, TestRedis>;
  const connections: Redis[] = [];
  beforeAll(async () => {
    surfaces = await loadSurfaces();
    users = redisUsers(surfaces, (name) => `a secret: ${name}`);
    for (const server of servers)
      running[server] = await startTestRedis({ keeps: server, users: users.fileOf(server) });
  });
  afterAll(async () => {
    for (const connection of connections) connection.disconnect();
    for (const server of servers) await running[server]?.stop();
  });

  const connectAt = (url: string): Redis => {
    const connection = new Redis(url, { disableClientInfo: true, maxRetriesPerRequest: 0 });
    connection.on('error', () => {});
    connections.push(connection);
    return connection;
  };
  const connectAs = (user: string, server: RedisServer): Redis =>
    connectAt(users.urlOf(user, running[server].url));
  const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
    attempt.then(
      () => '',
      (error: Error) => error.message,
    );
  const each = async (
    work: (of: {
      surface: Surface;
      server: RedisServer;
      rights: RedisPermissions;
      own: Redis;
    }) => Promise<void>,
  ) => {
    for (const server of servers)
      for (const surface of surfaces) {
        const own = connectAs(surface.name, server);
        await work({ surface, server, rights: buildRedisPermissions(surface, server), own });
        own.disconnect();
      }
  };

  it('gives no command to Redis but those that its surface says', async () => {
    const known = new Map<RedisServer, readonly CommandInfo[]>();
    for (const server of servers) {
      const list = (await connectAs(OPERATOR, server).call('COMMAND')) as CommandInfo[];
      known.set(server, list.flatMap(leavesOf));
    }
    await each(async ({ surface, server, rights, own }) => {
      const foreign = (known.get(server) ?? []).filter(
        ([name]) => !rights.commands.includes(name) && !withoutRights.has(name),
      );
      const passed: string[] = [];
      for (const [name, arity] of foreign) {
        const words = [...name.split('|'), ...Array(Math.abs(arity)).fill('1')].slice(0, Math.abs(arity));
        const refusal = await refusalOf(own.call(words[0] as string, ...words.slice(1)));
        if (!REFUSED.test(refusal)) passed.push(`${name}: ${refusal}`);
      }
      expect([surface.name, server, passed]).toEqual([surface.name, server, []]);
      expect(foreign.length).toBeGreaterThan(200);
    });
  });

  it('reads and writes no key of Redis but those that its surface says, with its commands or in a script', async () => {
    const everyPrefix = surfaces.flatMap(({ name, contract }) => [
      `${name}:*`,
      ...Object.values(contract.projections).map(({ wireName }) => `${name}:${wireName}:*`),
      '*',
    ]);
    const keys = [...new Set(everyPrefix)].map((pattern) => pattern.replace('*', '{1}:anything'));
    const covers = (patterns: readonly string[], key: string): boolean =>
      patterns.some((pattern) => key.startsWith(pattern.slice(0, -1)));
    await each(async ({ surface, server, rights: { writes, reads }, own }) => {
      const may = { write: [] as string[], read: [] as string[] };
      for (const key of keys) {
        const inScript = (command: string) => refusalOf(own.eval(`return redis.call(${command})`, 0, key));
        const wrote = [await refusalOf(own.set(key, '1')), await inScript(`'SET', ARGV[1], '1'`)];
        const read = [await refusalOf(own.get(key)), await inScript(`'GET', ARGV[1]`)];
        if (!wrote.every((refusal) => REFUSED.test(refusal))) may.write.push(key);
        if (!read.every((refusal) => REFUSED.test(refusal))) may.read.push(key);
      }
      const beyond = {
        write: may.write.filter((key) => !covers(writes, key)),
        read: may.read.filter((key) => !covers([...writes, ...reads], key)),
      };
      expect([surface.name, server, beyond]).toEqual([surface.name, server, { write: [], read: [] }]);
    });
  });

  it('reaches in Redis what is listed here, and nothing else', () => {
    const reached = (server: RedisServer) =>
      surfaces.flatMap((surface) => {
        const { writes, reads } = buildRedisPermissions(surface, server);
        return writes.length + reads.length === 0 ? [] : [[surface.name, { writes, reads }] as const];
      });
    expect(Object.fromEntries(reached('records'))).toEqual({
      'credits-ledger': { writes: ['credits-ledger:balance:*'], reads: [] },
      gateway: {
        writes: ['gateway:*'],
        reads: ['identity:principal:*', 'identity:principals-fresh:*', 'credits-ledger:balance:*'],
      },
      identity: { writes: ['identity:*'], reads: [] },
    });
    const cached = ['rendered-selection', 'rendered-file', 'transcript-video'].map(
      (projection) => `transcript-fetcher:${projection}:*`,
    );
    expect(Object.fromEntries(reached('cache'))).toEqual({
      gateway: { writes: [], reads: cached },
      'transcript-fetcher': { writes: cached, reads: [] },
    });
  });

  it('does not connect without its own password, and is no other user with it', async () => {
    for (const server of servers) {
      const { url } = running[server];
      const withPassword = new URL(users.urlOf('gateway', url));
      withPassword.username = 'identity';
      for (const wrong of [url, withPassword.href]) {
        const stranger = connectAt(wrong);
        await expect(stranger.get('gateway:x')).rejects.toThrow();
        stranger.disconnect();
      }
    }
  });
});
