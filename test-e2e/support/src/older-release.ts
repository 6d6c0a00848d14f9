import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { databaseUrls, type ensureDatabases } from '@tds/provisioning';
import { workspaceRoot } from '@tds/servers';

const run = promisify(execFile);

/** Two releases over the same servers. Databases are migrated as in a cluster: by the job of the release. */
export const createReleases = (older: string, dir: string) => {
  const folders = { older: path.resolve(older), this: workspaceRoot };
  const file = path.join(dir, 'databases.json');
  let current = folders.older;
  const ensure =
    (which: keyof typeof folders): typeof ensureDatabases =>
    async (adminUrl, surfaces, passwordOf) => {
      const passwords: Record<string, string> = {};
      const urls = databaseUrls(adminUrl, surfaces, (role) => (passwords[role] = passwordOf(role)));
      await writeFile(file, JSON.stringify({ adminUrl, passwords }), { mode: 0o600 });
      current = folders[which];
      const [job = ''] = globSync('infra/{deploy/,}provisioning/src/databases-job.ts', { cwd: current });
      await run(process.execPath, [path.join(current, job), file]);
      return urls;
    };
  /** `folder`: of which the next life of each process is. */
  return { folder: () => current, ensure };
};
