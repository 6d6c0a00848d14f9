import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export type Settings = { readonly apiKey?: string; readonly baseUrl?: string };
type Environment = Readonly<Record<string, string | undefined>>;

const ONLY_OWNER = 0o600;

export const settingsFile = (env: Environment): string =>
  path.join(env.XDG_CONFIG_HOME || path.join(env.HOME ?? homedir(), '.config'), 'transcripts', 'config.json');

export const readSettings = (env: Environment): Settings => {
  try {
    return JSON.parse(readFileSync(settingsFile(env), 'utf8')) as Settings;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
};

/** Only the owner can read it, also if it was there before with other rights. */
export const saveSettings = (env: Environment, settings: Settings): string => {
  const file = settingsFile(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, '', { flag: 'a', mode: ONLY_OWNER });
  chmodSync(file, ONLY_OWNER);
  writeFileSync(file, `${JSON.stringify(settings)}\n`);
  return file;
};

export const deleteSettings = (env: Environment): void => rmSync(settingsFile(env), { force: true });
