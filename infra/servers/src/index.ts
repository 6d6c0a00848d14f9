export {
  closeDatabase,
  createServiceDatabases,
  type DatabaseUrls,
  ensureOwnedDatabase,
  ensureRole,
  ensureServiceDatabase,
  kitPrismaDir,
  type Migrated,
  type MigrateOptions,
  madeByOtherMigrations,
  migrate,
  nameServiceDatabase,
  prismaDirsOf,
  readFunctions,
  readMigrations,
  type ServiceDatabase,
  urlFor,
  urlsOf,
  withClient,
} from '@tds/migrations';
export { findPrometheus, type PrometheusPrograms } from './find-prometheus.ts';
export { ensureServerPrograms, findServer } from './find-server.ts';
export { freePort } from './free-port.ts';
export { type GuardOptions, guardProcess } from './guard.ts';
export { ensureNats, type NatsOptions, type RunningNats } from './nats.ts';
export { ensureGrafana, ensurePrometheus, type ObserverOptions, type RunningObserver } from './observers.ts';
export { dataDir, localDir, toolsDir, workspaceRoot } from './paths.ts';
export { ensurePostgres, type PostgresOptions, type RunningPostgres } from './postgres.ts';
export { keepPrivate, writePrivate } from './private-files.ts';
export { processEnvironment } from './process-environment.ts';
export { endChild, sendSignal } from './processes.ts';
export { ensureRedis, type RedisOptions, type RunningRedis } from './redis.ts';
export type { LifeOptions, RunningServer } from './running-server.ts';
export { openSecrets, type SecretOf } from './secrets.ts';
export { endStaleServer } from './stale-server.ts';
export { holdsWithin } from './wait.ts';
