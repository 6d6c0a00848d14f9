import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** No other user may list or enter the folder; root's may be passed, by the user that it runs Postgres as. */
export const keepPrivate = (dir: string): void => {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, process.getuid?.() === 0 ? 0o711 : 0o700);
};

/** Replaces the file by one that only its owner can read. */
export const writePrivate = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};
