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

/** Random secrets of a local run, by name, made the first time they are asked for and kept in one private file. */
export const openSecrets = (file: string): ((name: string) => string) => {
  const secrets = read(file);
  return (name) => {
    const known = secrets[name];
    if (known) return known;
    const made = randomBytes(24).toString('base64url');
    secrets[name] = made;
    writePrivate(file, `${JSON.stringify(secrets, null, 2)}\n`);
    return made;
  };
};
