import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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

const read = (file: string): Record<string, string> => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
};

/** A secret by its name; the same one ever after. `make` makes one that is not just any text. */
export type SecretOf = (name: string, make?: () => string) => string;

const anyText = (): string => randomBytes(24).toString('base64url');

/** Random secrets of a local run, made the first time they are asked for and kept in one private file. */
export const openSecrets = (file: string): SecretOf => {
  const secrets = read(file);
  return (name, make = anyText) => {
    const existing = secrets[name];
    if (existing) return existing;
    const created = make();
    secrets[name] = created;
    writePrivate(file, `${JSON.stringify(secrets, null, 2)}\n`);
    return created;
  };
};
