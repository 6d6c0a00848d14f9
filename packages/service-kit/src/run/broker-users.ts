import { nkeys } from '@nats-io/nats-core';
import type { Surface } from '@tds/contracts';
import { publicNkeyOf } from '../broker/nkey.ts';
import { OPERATOR, PROVISIONER } from '../broker/users.ts';
import { type Permissions, permissionsOf, provisionerPermissions } from './permissions.ts';

export type BrokerUsers = {
  /** For the broker's configuration: everybody's public key and rights, and no secret. */
  readonly authorization: string;
  /** What a user proves with who it is: a service, the provisioner or the operator. */
  seedOf(user: string): string;
};

/** A machine that is busy with other things takes its time to sign, and an attempt that is cut begins with nothing. */
const PATIENCE_SECONDS = 30;
const text = new TextDecoder();
const newSeed = (): string => text.decode(nkeys.createUser().getSeed());

/** An empty list of what is allowed would allow everything. */
const rights = (allowed: readonly string[]): string =>
  allowed.length === 0 ? '{ deny: ">" }' : `{ allow: ${JSON.stringify(allowed)} }`;

const permissionLines = ({ publish, subscribe }: Permissions): string =>
  `, permissions: { publish: ${rights(publish)}, subscribe: ${rights(subscribe)} }`;

/** One user for each service, with what its surface needs; the provisioner; and the operator, who may do everything. */
export const brokerUsers = (
  surfaces: readonly Surface[],
  secretOf: (name: string, make: () => string) => string,
): BrokerUsers => {
  const seedOf = (user: string): string => secretOf(`nats seed of ${user}`, newSeed);
  const userLine = (user: string, permissions?: Permissions): string =>
    `    { nkey: ${publicNkeyOf(seedOf(user))}${permissions ? permissionLines(permissions) : ''} }`;
  const lines = [
    ...surfaces.map((surface) => userLine(surface.name, permissionsOf(surface, surfaces))),
    userLine(PROVISIONER, provisionerPermissions(surfaces)),
    userLine(OPERATOR),
  ];
  return {
    authorization: `authorization {\n  timeout: ${PATIENCE_SECONDS}\n  users = [\n${lines.join('\n')}\n  ]\n}`,
    seedOf,
  };
};
