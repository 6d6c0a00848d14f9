import type { Surface } from '@tds/contracts';
import { type DatabaseUrls, nameServiceDatabase, urlsOf } from '@tds/migrations';
import { type ObjectsDatabase, objectsDatabase, type PasswordOf } from './objects-database.ts';
import { storedServiceNames } from './services.ts';

/** The administrator's address: of the one server, or of the server that has a database (a service's, or `objects`). */
export type AdminUrl = string | ((database: string) => string);

export const adminUrlOf = (admin: AdminUrl, database: string): string =>
  typeof admin === 'string' ? admin : admin(database);

export type Databases = {
  /** By service. */
  readonly databases: Readonly<Record<string, DatabaseUrls>>;
  readonly objects: ObjectsDatabase;
};

/** Where the databases are, once they are there. */
export const databaseUrls = (
  admin: AdminUrl,
  surfaces: readonly Surface[],
  passwordOf: PasswordOf,
): Databases => ({
  databases: Object.fromEntries(
    storedServiceNames.map((name) => [
      name,
      urlsOf(adminUrlOf(admin, name), nameServiceDatabase(name, passwordOf)),
    ]),
  ),
  objects: objectsDatabase(adminUrlOf(admin, 'objects'), surfaces, passwordOf),
});
