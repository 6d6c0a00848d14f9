export {
  closeDatabase,
  createServiceDatabases,
  type DatabaseUrls,
  ensureOwnedDatabase,
  ensureRole,
  ensureServiceDatabase,
  findForeignDatabases,
  kitPrismaDir,
  type MigrateOptions,
  type MigrationResult,
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
export { describeOldComparisons } from './comparisons.ts';
export { unpackPackages } from './debian-packages.ts';
export {
  ensureServerPrograms,
  findPrometheus,
  findServer,
} from './find-server.ts';
export { findListenError, freePort } from './free-port.ts';
export { ensureNats, type NatsOptions, natsConfiguration, type RunningNats } from './nats.ts';
export { ensureGrafana, ensurePrometheus } from './observers.ts';
export { dataDir, localDir, toolsDir, workspaceRoot } from './paths.ts';
export { ensurePostgres, type RunningPostgres } from './postgres.ts';
export { keepPrivate, openSecrets, type SecretOf, writePrivate } from './private-files.ts';
export { endChild, holdsWithin, processEnvironment, procFile, sendSignal, statFields } from './processes.ts';
export { ensureRedis, type RedisOptions, type RunningRedis } from './redis.ts';
export { releases } from './releases.ts';
export type { RunningServer } from './running-server.ts';
export { endStaleServer, endWithParent } from './server-process.ts';
