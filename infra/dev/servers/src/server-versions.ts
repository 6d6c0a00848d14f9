import { accessSync, constants } from 'node:fs';
import { runCommand } from './processes.ts';
import { releases } from './releases.ts';

export interface ServerBinary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

type Line = readonly [major: number, minor: number];

const oldest = { 'redis-server': [7, 0], 'nats-server': [2, 9], prometheus: [3, 0] } as const;

export type ServerName = keyof typeof oldest;

const toLine = (release: string): Line => {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return [major, minor];
};

/** The broker of installations, which differs from old ones in what tests have to see; any Redis will do. */
const preferred: Readonly<Record<ServerName, Line>> = { ...oldest, 'nats-server': toLine(releases.nats) };

export interface ServerMatch {
  readonly binary: ServerBinary | undefined;
  /** Whether it is of the line that installations run, or newer. */
  readonly isPreferred: boolean;
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
  const output = await runCommand({ command, args: ['--version'], env }).catch(() => '');
  return /\bv(?:ersion )?=?(\d+\.\d+(\.\d+)?)/.exec(output)?.[1];
};

const isNewEnough = (version: string, [minMajor, minMinor]: Line): boolean => {
  const [major, minor] = toLine(version);
  return major > minMajor || (major === minMajor && minor >= minMinor);
};

/** Returns the first one of the preferred line or newer, else the first one that is new enough. */
export const findSuitable = async (
  name: ServerName,
  candidates: readonly ServerBinary[],
): Promise<ServerMatch> => {
  const tooOld: string[] = [];
  let binary: ServerBinary | undefined;
  for (const candidate of candidates) {
    const version = await versionOf(candidate);
    if (version === undefined) continue;
    if (isNewEnough(version, preferred[name])) return { binary: candidate, isPreferred: true, tooOld };
    if (isNewEnough(version, oldest[name])) binary ??= candidate;
    else tooOld.push(`${candidate.command} is ${version}`);
  }
  return { binary, isPreferred: false, tooOld };
};

/** As in `redis-server 7.0 or newer (/usr/bin/redis-server is 6.0.16)`. */
export const describeRequirement = (name: ServerName, tooOld: readonly string[] = []): string => {
  const rejected = tooOld.length === 0 ? '' : ` (${[...new Set(tooOld)].join(', ')})`;
  return `${name} ${oldest[name].join('.')} or newer${rejected}`;
};
