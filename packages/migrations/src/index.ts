export { readFunctionCatalog } from './function-catalog.ts';
export { readFunctions, workspaceRoot } from './function-list.ts';
export {
  type MigrateOptions,
  type MigrationResult,
  migrate,
  OLDEST_POSTGRES,
} from './migrate.ts';
export {
  assertAllSameTexts,
  findForeignDatabases,
  kitPrismaDir,
  type MigrationFolder,
  migrationsDirOf,
  prismaDirsOf,
  readMigrations,
} from './migration-records.ts';
export { isMigrated, releaseOf } from './releases.ts';
export {
  closeDatabase,
  createServiceDatabases,
  type DatabaseUrls,
  ensureOwnedDatabase,
  ensureRole,
  ensureServiceDatabase,
  nameServiceDatabase,
  type ServiceDatabase,
  urlFor,
  urlsOf,
  withClient,
} from './service-databases.ts';
