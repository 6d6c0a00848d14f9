/** For installations: what services may not make or decide themselves. */

export { type Provisioner, startProvisioner } from './broker/provisioner.ts';
export { streamVariables } from './broker/stream-limits.ts';
export { eventStreamName } from './broker/streams.ts';
export { inboxOf, nkeyAuthenticator, OPERATOR, PROVISIONER } from './broker/users.ts';
export {
  type BrokerUsers,
  brokerUsers,
  type Permissions,
  permissionsOf,
  provisionerPermissions,
} from './run/broker-users.ts';
export { kitVariablesOf, loadKitConfig } from './run/kit-config.ts';
export { type ObjectUsers, objectPermissionsOf, objectUsers } from './run/object-users.ts';
export { type RedisPermissions, type RedisUsers, redisPermissionsOf, redisUsers } from './run/redis-users.ts';
