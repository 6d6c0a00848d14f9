import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder for one test, which the user that Postgres runs as may enter. */
export const temporaryDir = (): { dir: string; remove: () => void } => {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'tds-servers-')));
  chmodSync(dir, 0o711);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
};
