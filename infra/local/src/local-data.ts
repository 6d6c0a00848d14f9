import { rmSync } from 'node:fs';
import path from 'node:path';
import { storedServiceNames } from '@tds/provisioning';
import { dataDir, endStaleServer, madeByOtherMigrations } from '@tds/servers';

/** By the name of the server's folder below the data. */
export const serverFolders = ['postgres', 'nats', 'redis', 'redis-cache'] as const;

/** What a run keeps in its data folder, which may hold things of the person's own as well. */
const kept = [...serverFolders, 'secrets.json', 'endpoints.json', 'payments.json', 'ports.json'];

/**
 * Loses the data of last time, and nothing else that stands in the folder. Rejects where a run still uses it; the servers
 * that a killed run has left behind are ended.
 */
export const emptyData = async (dir: string): Promise<void> => {
  for (const name of serverFolders) await endStaleServer(name, path.join(dir, name), 'SIGINT');
  for (const name of kept) rmSync(path.join(dir, name), { recursive: true, force: true });
};

/** Rejects, before anything is changed, where another version of the tables has made these data: nothing leads from there to here. */
export const refuseOtherData = async (dir: string, adminUrl: string): Promise<void> => {
  const found = await madeByOtherMigrations(adminUrl, [...storedServiceNames, 'objects']);
  if (found.length === 0) return;
  const command = dir === dataDir ? 'npm start -- --fresh' : `npm start -- --data ${dir} --fresh`;
  throw new Error(
    `the data in ${dir} were made by other migrations than those of this version (${found.join(', ')}): begin without them with ${command}`,
  );
};
