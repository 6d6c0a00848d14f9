import type { Surface } from '@tds/contracts';
import { ensureOwnedDatabase, migrate, prismaDirsOf, urlFor, withClient } from '@tds/migrations';
import { objectUsers } from '@tds/objects/rights';

/** The password of a role of Postgres; the same one each time. */
export type PasswordOf = (role: string) => string;

const DATABASE = 'objects';
const OWNER = 'objects_owner';

const ownerOf = (passwordOf: PasswordOf) => ({ name: OWNER, password: passwordOf(OWNER) });

/** Where the database of the object store is, once it is there. */
export const objectsDatabase = (adminUrl: string, surfaces: readonly Surface[], passwordOf: PasswordOf) => {
  const users = objectUsers(surfaces, passwordOf);
  const url = urlFor(adminUrl, DATABASE);
  return {
    /** Of the role that migrates, and that every row is open to. */
    ownerUrl: urlFor(adminUrl, DATABASE, ownerOf(passwordOf)),
    /** For a service; undefined for one that has no objects. */
    urlOf: (service: string) => users.urlOf(service, url),
  };
};
export type ObjectsDatabase = ReturnType<typeof objectsDatabase>;

/** The database of the object store, migrated, with a role for each service that has objects and nothing for any other. */
export const ensureObjectsDatabase = async (
  adminUrl: string,
  surfaces: readonly Surface[],
  passwordOf: PasswordOf,
): Promise<ObjectsDatabase> => {
  const objects = objectsDatabase(adminUrl, surfaces, passwordOf);
  await ensureOwnedDatabase(adminUrl, { database: DATABASE, owner: ownerOf(passwordOf) });
  await migrate({ databaseUrl: objects.ownerUrl, prismaDirs: prismaDirsOf(DATABASE) });
  const { rolesSql, rightsSql } = objectUsers(surfaces, passwordOf);
  await withClient(urlFor(adminUrl, DATABASE), async (admin) => {
    await admin.query(rolesSql);
    await admin.query(rightsSql);
  });
  return objects;
};
