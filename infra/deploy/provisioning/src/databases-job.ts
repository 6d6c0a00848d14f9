import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ensureDatabases } from './ensure-databases.ts';
import { loadSurfaces } from './services.ts';

/** Run to its end before services start: `node databases-job.ts <file>`. The file says who the administrator is, and every role's password. */
const schema = z.object({
  adminUrl: z.url(),
  /** Of databases that are on another server. */
  elsewhere: z.record(z.string(), z.url()).default({}),
  passwords: z.record(z.string(), z.string().min(1)),
});

const [file = '/run/secrets/databases'] = process.argv.slice(2);
const { adminUrl, elsewhere, passwords } = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
const passwordOf = (role: string): string => {
  const password = passwords[role];
  if (password === undefined) throw new Error(`${file} has no password for ${role}: make the secrets again`);
  return password;
};
const { databases } = await ensureDatabases(
  (database) => elsewhere[database] ?? adminUrl,
  await loadSurfaces(),
  passwordOf,
);
process.stdout.write(`migrated: ${Object.keys(databases).join(', ')}, objects\n`);
