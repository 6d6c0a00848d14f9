import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { endStaleServer, localDir } from '@tds/servers';
import { serverFolders } from './servers.ts';

/** What a run keeps in its data folder, which may hold things of the person's own as well. */
const kept = [...serverFolders, 'secrets.json', 'endpoints.json'];

/** Rejects where a run still uses the folder; what such a run has left behind is ended. */
const untilNobodyUses = async (dir: string): Promise<void> => {
  for (const name of serverFolders) await endStaleServer(name, path.join(dir, name), 'SIGINT');
};

/** Loses the data of last time, and nothing else that stands in the folder. */
export const emptyData = async (dir: string): Promise<void> => {
  await untilNobodyUses(dir);
  for (const name of kept) rmSync(path.join(dir, name), { recursive: true, force: true });
};

/** Earlier versions kept their data beside the tools. Cut off at any point, the next start moves the rest. */
export const moveEarlierData = async (dir: string, earlierDir: string = localDir): Promise<void> => {
  const toMove = kept.filter((name) => existsSync(path.join(earlierDir, name)));
  if (toMove.length === 0) return;
  await untilNobodyUses(earlierDir);
  for (const name of toMove) {
    const place = path.join(dir, name);
    if (!existsSync(place)) renameSync(path.join(earlierDir, name), place);
  }
};
