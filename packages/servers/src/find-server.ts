import { accessSync, constants, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { unpackServers } from './debian-packages.ts';
import { howToInstall } from './how-to-install.ts';
import { toolsDir } from './paths.ts';
import { runCommand } from './run-command.ts';

export interface ServerBinary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

const oldest = { 'redis-server': [7, 0], 'nats-server': [2, 9] } as const;

export type ServerName = keyof typeof oldest;
const serverNames = Object.keys(oldest) as ServerName[];

/** As in `redis-server 7.0 or newer`. */
const described = (name: ServerName): string => `${name} ${oldest[name].join('.')} or newer`;

const unpackedDir = path.join(toolsDir, 'servers');

/** Folders of shared libraries below the unpacked packages: `usr/lib/<platform>` and those beside it. */
const libraryPath = (): string => {
  const lib = path.join(unpackedDir, 'usr/lib');
  const platforms = existsSync(lib) ? readdirSync(lib).filter((name) => name.includes('-linux-')) : [];
  const roots = [...platforms.map((name) => path.join(lib, name)), path.join(unpackedDir, 'lib'), lib];
  return roots.filter((dir) => existsSync(dir)).join(':');
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const onPath = (name: string): ServerBinary[] =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/sbin', '/usr/local/bin']
    .filter(path.isAbsolute)
    .map((dir) => ({ command: path.join(dir, name), env: { PATH: process.env.PATH } }));

/** Debian's redis-server is a link to redis-check-rdb, which is the server under another name. */
const unpacked = (name: string): ServerBinary[] =>
  [path.join(unpackedDir, 'usr/bin', name), path.join(unpackedDir, 'usr/sbin', name)].map((command) => ({
    command,
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: libraryPath() },
  }));

const suits = async ({ command, env }: ServerBinary, name: ServerName): Promise<boolean> => {
  if (!isExecutable(command)) return false;
  const version = await runCommand({ command, args: ['--version'], env }).catch(() => '');
  const [, foundMajor, foundMinor] = /v=?(\d+)\.(\d+)/.exec(version) ?? [];
  if (!foundMajor) return false;
  const [major, minor] = oldest[name];
  return Number(foundMajor) > major || (Number(foundMajor) === major && Number(foundMinor) >= minor);
};

const look = async (name: ServerName): Promise<ServerBinary | undefined> => {
  for (const candidate of [...onPath(name), ...unpacked(name)])
    if (await suits(candidate, name)) return candidate;
  return undefined;
};

const missingServers = async (): Promise<ServerName[]> => {
  const found = await Promise.all(serverNames.map(look));
  return serverNames.filter((_, index) => !found[index]);
};

export interface FetchOptions {
  /** Gives up before its time. */
  readonly signal?: AbortSignal;
  /** Told what is being done; the returned function, that it is done. */
  readonly onStep?: (title: string) => () => void;
}

const fetchMissing = async ({ signal, onStep }: FetchOptions): Promise<void> => {
  if ((await missingServers()).length === 0) return;
  const done = onStep?.('Redis and NATS, the first time');
  rmSync(unpackedDir, { recursive: true, force: true });
  const why = await unpackServers(unpackedDir, signal).catch((error: Error) => error.message);
  const left = (await missingServers()).map(described);
  done?.();
  if (left.length > 0)
    throw new Error(howToInstall(left, why ?? "what Debian's packages carry does not run here"));
};

let fetching: Promise<void> | undefined;

/** Sees to it that Redis and NATS are there; rejects with a sentence that names whatever is missing, and how to get it. */
export const ensureServerPrograms = (options: FetchOptions = {}): Promise<void> => {
  fetching ??= fetchMissing(options);
  return fetching;
};

/** Finds a server on PATH or among what was unpacked before; else unpacks it from Debian's packages. */
export const findServer = async (name: ServerName): Promise<ServerBinary> => {
  const found = await look(name);
  if (found) return found;
  await ensureServerPrograms();
  const fetched = await look(name);
  if (!fetched) throw new Error(`${described(name)} is missing, though it was there a moment ago`);
  return fetched;
};
