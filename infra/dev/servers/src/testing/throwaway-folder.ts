import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** On Linux, a folder whose files are kept in memory. */
const MEMORY = '/dev/shm';
/** Several times what the test databases of a run need. */
const ENOUGH_BYTES = 4 * 1_024 ** 3;

const isLarge = (folder: string): boolean => {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES;
};

/** A new folder of a server that is thrown away: in memory if there is enough, where a database is made in a tenth of the time. */
export const throwawayFolder = (name: string): string =>
  mkdtempSync(path.join(isLarge(MEMORY) ? MEMORY : tmpdir(), `tds-test-${name}-`));
