import type { Surface } from '@tds/contracts';
import { type DatabaseUrls, nameServiceDatabase, urlsOf } from '@tds/migrations';
import { type ObjectsDatabase, objectsDatabase, type PasswordOf } from './objects-database.ts';
import { storedServiceNames } from './services.ts';

export type Databases = {
  /** By service. */
  readonly databases: Readonly<Record<string, DatabaseUrls>>;
  readonly objects: ObjectsDatabase;
};

/** Where the databases are, once they are there. */
export const databaseUrls = (
  adminUrl: string,
  surfaces: readonly Surface[],
  passwordOf: PasswordOf,
): Databases => ({
  databases: Object.fromEntries(
    storedServiceNames.map((name) => [name, urlsOf(adminUrl, nameServiceDatabase(name, passwordOf))]),
  ),
  objects: objectsDatabase(adminUrl, surfaces, passwordOf),
});
