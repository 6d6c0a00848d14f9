export {
  type BrokerUsers,
  brokerUsers,
  type Permissions,
  permissionsOf,
} from './broker-users.ts';
export { startProvisioner } from './provisioner.ts';
export { type RedisPermissions, type RedisUsers, redisPermissionsOf, redisUsers } from './redis-users.ts';
