export {
  type BrokerUsers,
  brokerUsers,
  buildPermissions as permissionsOf,
  type Permissions,
} from './broker-users.ts';
export { startProvisioner } from './provisioner.ts';
export {
  buildRedisPermissions as redisPermissionsOf,
  type RedisPermissions,
  type RedisUsers,
  redisUsers,
} from './redis-users.ts';
