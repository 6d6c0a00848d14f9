import type { Surface } from '@tds/contracts';
import { ensureOwnedDatabase, migrate, prismaDirsOf, type SecretOf, urlFor, withClient } from '@tds/servers';
import { objectUsers } from '@tds/service-kit/provisioning';

export type ObjectsDatabase = {
  /** Of the role that migrates, and that every row is open to. */
  readonly ownerUrl: string;
  /** For a service; undefined for one that has no objects. */
  urlOf(service: string): string | undefined;
};

const DATABASE = 'objects';
const OWNER = 'objects_owner';

/** The database of the object store, migrated, with a role for each service that has objects and nothing for any other. */
export const ensureObjectsDatabase = async (
  adminUrl: string,
  surfaces: readonly Surface[],
  secretOf: SecretOf,
): Promise<ObjectsDatabase> => {
  const owner = { name: OWNER, password: secretOf(OWNER) };
  const { ownerUrl } = await ensureOwnedDatabase(adminUrl, { database: DATABASE, owner });
  await migrate({ databaseUrl: ownerUrl, prismaDirs: prismaDirsOf(DATABASE) });
  const { rolesSql, rightsSql, urlOf } = objectUsers(surfaces, secretOf);
  const url = urlFor(adminUrl, DATABASE);
  await withClient(url, async (admin) => {
    await admin.query(rolesSql);
    await admin.query(rightsSql);
  });
  return { ownerUrl, urlOf: (service) => urlOf(service, url) };
};
