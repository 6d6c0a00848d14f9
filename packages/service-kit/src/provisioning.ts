/** For whoever runs the services: what they may not make or decide themselves. */
export { nkeyAuthenticator } from './broker/nkey.ts';
export { type Provisioner, startProvisioner } from './broker/provisioner.ts';
export { streamVariables } from './broker/stream-limits.ts';
export { eventStreamName } from './broker/streams.ts';
export { inboxOf, OPERATOR, PROVISIONER } from './broker/users.ts';
export { type BrokerUsers, brokerUsers } from './run/broker-users.ts';
export { kitVariablesOf, loadKitConfig } from './run/kit-config.ts';
export { objectPermissionsOf } from './run/object-permissions.ts';
export { type ObjectUsers, objectUsers } from './run/object-users.ts';
export { type Permissions, permissionsOf, provisionerPermissions } from './run/permissions.ts';
export { type RedisPermissions, redisPermissionsOf } from './run/redis-permissions.ts';
export { type RedisUsers, redisUsers } from './run/redis-users.ts';
