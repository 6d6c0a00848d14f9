export {
  type BrokerUsers,
  brokerUsers,
  type Permissions,
  permissionsOf,
  provisionerPermissions,
} from './broker-users.ts';
export { type Provisioner, startProvisioner } from './provisioner.ts';
export { type RedisPermissions, type RedisUsers, redisPermissionsOf, redisUsers } from './redis-users.ts';
