import type { Surface } from '@tds/contracts';
import { createServiceDatabases, migrate, prismaDirsOf } from '@tds/migrations';
import type { Databases } from './database-urls.ts';
import { ensureObjectsDatabase, type PasswordOf } from './objects-database.ts';
import { storedServiceNames } from './services.ts';

/**
 * Every service's database with its two roles, and that of the objects, brought to their newest migrations. What is there
 * already stays; passwords become what they are now. Those who do it at the same time wait for each other.
 */
export const ensureDatabases = async (
  adminUrl: string,
  surfaces: readonly Surface[],
  passwordOf: PasswordOf,
): Promise<Databases> => {
  const databases = await createServiceDatabases(adminUrl, storedServiceNames, passwordOf);
  for (const name of storedServiceNames) {
    const urls = databases[name];
    if (urls) await migrate({ databaseUrl: urls.ownerUrl, prismaDirs: prismaDirsOf(name) });
  }
  return { databases, objects: await ensureObjectsDatabase(adminUrl, surfaces, passwordOf) };
};
