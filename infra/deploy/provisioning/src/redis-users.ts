import { createHash } from 'node:crypto';
import type { Projection, RedisServer, Surface } from '@tds/contracts';
import { OPERATOR } from '@tds/messaging/internals';

/** The commands with which every connection begins. INFO counts and shows no key: the client takes a server that answers it for ready. */
const greeting = ['client|setname', 'info', 'ping'];
/** The kit's commands on a service's own projections, and on those of others. */
const keeping = { records: ['eval', 'evalsha', 'get', 'set', 'unlink'], cache: ['set'] } as const;
const reading = ['get', 'mget'];

/** Keys, as patterns that one may write or only read, and commands by name: categories would let KEYS and SCAN in. */
export type RedisPermissions = {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly commands: readonly string[];
};

const patternOf = ({ owner, wireName }: Projection): string => `${owner}:${wireName}:*`;

/** The rights that a service's surface needs on one of the two servers. */
export const buildRedisPermissions = (surface: Surface, server: RedisServer): RedisPermissions => {
  const { name, contract, reads, redis } = surface;
  const isHere = ({ keptIn }: Projection): boolean => keptIn === server;
  const ownProjections = Object.values(contract.projections).filter(isHere);
  const foreign = reads.filter((projection) => isHere(projection) && projection.owner !== name);
  const counts = server === 'records' && redis.length > 0;
  const commands = [
    ...greeting,
    ...(ownProjections.length > 0 ? keeping[server] : []),
    ...(foreign.length > 0 ? reading : []),
    ...(counts ? redis : []),
  ];
  return {
    writes: counts ? [`${name}:*`] : ownProjections.map(patternOf),
    reads: foreign.map(patternOf),
    commands: [...new Set(commands)].toSorted(),
  };
};

const digest = (password: string): string => `#${createHash('sha256').update(password).digest('hex')}`;

const userLine = (user: string, password: string, { writes, reads, commands }: RedisPermissions): string =>
  [
    `user ${user} on ${digest(password)} resetchannels`,
    ...writes.map((pattern) => `~${pattern}`),
    ...reads.map((pattern) => `%R~${pattern}`),
    '-@all',
    ...commands.map((command) => `+${command}`),
  ].join(' ');

/** One user for each service, with what its surface needs; the operator, who may do everything; and no anonymous user. */
export const redisUsers = (surfaces: readonly Surface[], secretOf: (name: string) => string) => {
  const passwordOf = (user: string): string => secretOf(`redis password of ${user}`);
  const lines = (server: RedisServer): string[] => [
    'user default off',
    ...surfaces.map((surface) =>
      userLine(surface.name, passwordOf(surface.name), buildRedisPermissions(surface, server)),
    ),
    `user ${OPERATOR} on ${digest(passwordOf(OPERATOR))} ~* &* +@all`,
  ];
  return {
    /** For the `aclfile` of a server: the rights of all users, and digests of their passwords. */
    fileOf: (server: RedisServer): string => `${lines(server).join('\n')}\n`,
    /** The server's address for a user: a service or the operator. */
    urlOf: (user: string, url: string): string => {
      const userUrl = new URL(url);
      userUrl.username = user;
      userUrl.password = passwordOf(user);
      return userUrl.href;
    },
  };
};
export type RedisUsers = ReturnType<typeof redisUsers>;
