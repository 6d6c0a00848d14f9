import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writePrivate } from './private-files.ts';

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
    const known = secrets[name];
    if (known) return known;
    const made = make();
    secrets[name] = made;
    writePrivate(file, `${JSON.stringify(secrets, null, 2)}\n`);
    return made;
  };
};
