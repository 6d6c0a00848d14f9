import type { Surface } from '@tds/contracts';
import {
  assertAllSameTexts,
  createServiceDatabases,
  type DatabaseUrls,
  migrate,
  prismaDirsOf,
} from '@tds/migrations';
import { type AdminUrl, adminUrlOf, type Databases } from './database-urls.ts';
import { ensureObjectsDatabase, type PasswordOf } from './objects-database.ts';
import { storedServiceNames } from './services.ts';

/**
 * Every service's database with its two roles, and that of the objects, brought to their newest migrations. What is there
 * already stays; passwords become what they are now. Those who do it at the same time wait for each other. All databases are checked before one
 * is changed.
 */
export const ensureDatabases = async (
  admin: AdminUrl,
  surfaces: readonly Surface[],
  passwordOf: PasswordOf,
): Promise<Databases> => {
  const all = Map.groupBy([...storedServiceNames, 'objects'], (name) => adminUrlOf(admin, name));
  for (const [adminUrl, names] of all) await assertAllSameTexts(adminUrl, names);
  const byServer = Map.groupBy(storedServiceNames, (name) => adminUrlOf(admin, name));
  const databases: Record<string, DatabaseUrls> = {};
  for (const [adminUrl, names] of byServer)
    Object.assign(databases, await createServiceDatabases(adminUrl, names, passwordOf));
  for (const name of storedServiceNames) {
    const urls = databases[name];
    if (urls) await migrate({ databaseUrl: urls.ownerUrl, prismaDirs: prismaDirsOf(name) });
  }
  const objects = await ensureObjectsDatabase(adminUrlOf(admin, 'objects'), surfaces, passwordOf);
  return { databases, objects };
};
