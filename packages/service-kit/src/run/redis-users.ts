import { createHash } from 'node:crypto';
import type { RedisServer, Surface } from '@tds/contracts';
import { OPERATOR } from '../broker/users.ts';
import { type RedisPermissions, redisPermissionsOf } from './redis-permissions.ts';

export type RedisUsers = {
  /** For the `aclfile` of a server: everybody's rights, and digests of their passwords. */
  readonly fileOf: (server: RedisServer) => string;
  /** The server's address for a user: a service or the operator. */
  readonly urlOf: (user: string, url: string) => string;
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

/** One user for each service, with what its surface needs; the operator, who may do everything; and nobody without a name. */
export const redisUsers = (surfaces: readonly Surface[], secretOf: (name: string) => string): RedisUsers => {
  const passwordOf = (user: string): string => secretOf(`redis password of ${user}`);
  const lines = (server: RedisServer): string[] => [
    'user default off',
    ...surfaces.map((surface) =>
      userLine(surface.name, passwordOf(surface.name), redisPermissionsOf(surface, server)),
    ),
    `user ${OPERATOR} on ${digest(passwordOf(OPERATOR))} ~* &* +@all`,
  ];
  return {
    fileOf: (server) => `${lines(server).join('\n')}\n`,
    urlOf: (user, url) => {
      const own = new URL(url);
      own.username = user;
      own.password = passwordOf(user);
      return own.href;
    },
  };
};
