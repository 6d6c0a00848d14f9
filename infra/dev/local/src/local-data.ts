import { rmSync } from 'node:fs';
import path from 'node:path';
import { storedServiceNames } from '@tds/provisioning';
import { dataDir, endStaleServer, findForeignDatabases } from '@tds/servers';

/** By the name of the server's folder below the data. */
export const serverFolders = ['postgres', 'nats', 'redis', 'redis-cache'] as const;

/** The files of a run in its data folder, which may hold other files as well. */
const dataFiles = [...serverFolders, 'secrets.json', 'endpoints.json', 'payments.json', 'ports.json'];

/**
 * Deletes the data of the last run, and no other files of the folder. Rejects if a run still uses it; the servers
 * that a killed run left behind are ended.
 */
export const emptyData = async (dir: string): Promise<void> => {
  for (const name of serverFolders) await endStaleServer(name, path.join(dir, name), 'SIGINT');
  for (const name of dataFiles) rmSync(path.join(dir, name), { recursive: true, force: true });
};

/** Rejects data of other migrations before it changes anything: no migration leads from there to here. */
export const refuseOtherData = async (dir: string, adminUrl: string): Promise<void> => {
  const databases = await findForeignDatabases(adminUrl, [...storedServiceNames, 'objects']);
  if (databases.length === 0) return;
  const command = dir === dataDir ? 'npm start -- --fresh' : `npm start -- --data ${dir} --fresh`;
  throw new Error(
    `the data in ${dir} were made by other migrations than those of this version (${databases.join(', ')}): begin without them with ${command}`,
  );
};
