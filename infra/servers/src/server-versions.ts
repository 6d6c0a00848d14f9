import { accessSync, constants } from 'node:fs';
import { runCommand } from './processes.ts';

export interface ServerBinary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

const oldest = { 'redis-server': [7, 0], 'nats-server': [2, 9] } as const;

export type ServerName = keyof typeof oldest;
export const serverNames = Object.keys(oldest) as ServerName[];

export interface Looked {
  readonly found: ServerBinary | undefined;
  /** The rejected ones, as in `/usr/bin/redis-server is 6.0.16`. */
  readonly tooOld: readonly string[];
}

export const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Its own answer; undefined if it is missing or does not run here. */
const versionOf = async ({ command, env }: ServerBinary): Promise<string | undefined> => {
  if (!isExecutable(command)) return undefined;
  const said = await runCommand({ command, args: ['--version'], env }).catch(() => '');
  return /\bv=?(\d+\.\d+(\.\d+)?)/.exec(said)?.[1];
};

const isNewEnough = (version: string, name: ServerName): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = oldest[name];
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
};

/** Returns the first one that is new enough. */
export const firstThatSuits = async (
  name: ServerName,
  candidates: readonly ServerBinary[],
): Promise<Looked> => {
  const tooOld: string[] = [];
  for (const candidate of candidates) {
    const version = await versionOf(candidate);
    if (version === undefined) continue;
    if (isNewEnough(version, name)) return { found: candidate, tooOld };
    tooOld.push(`${candidate.command} is ${version}`);
  }
  return { found: undefined, tooOld };
};

/** As in `redis-server 7.0 or newer (/usr/bin/redis-server is 6.0.16)`. */
export const describeWanted = (name: ServerName, tooOld: readonly string[] = []): string => {
  const passedBy = tooOld.length === 0 ? '' : ` (${[...new Set(tooOld)].join(', ')})`;
  return `${name} ${oldest[name].join('.')} or newer${passedBy}`;
};
