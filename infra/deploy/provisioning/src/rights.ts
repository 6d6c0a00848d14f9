export {
  type BrokerUsers,
  brokerUsers,
  buildPermissions,
  type Permissions,
} from './broker-users.ts';
export { startProvisioner } from './provisioner.ts';
export {
  buildRedisPermissions,
  type RedisPermissions,
  type RedisUsers,
  redisUsers,
} from './redis-users.ts';
