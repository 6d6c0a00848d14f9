import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { unpackServers } from './debian-packages.ts';
import { howToInstall } from './how-to-install.ts';
import { toolsDir } from './paths.ts';
import {
  describeWanted,
  firstThatSuits,
  type Looked,
  type ServerBinary,
  type ServerName,
  serverNames,
} from './server-versions.ts';

const unpackedDir = path.join(toolsDir, 'servers');

/** Folders of shared libraries below the unpacked packages: `usr/lib/<platform>` and those beside it. */
const libraryPath = (): string => {
  const lib = path.join(unpackedDir, 'usr/lib');
  const platforms = existsSync(lib) ? readdirSync(lib).filter((name) => name.includes('-linux-')) : [];
  const roots = [...platforms.map((name) => path.join(lib, name)), path.join(unpackedDir, 'lib'), lib];
  return roots.filter((dir) => existsSync(dir)).join(':');
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

const look = (name: ServerName): Promise<Looked> =>
  firstThatSuits(name, [...onPath(name), ...unpacked(name)]);

/** In words, with the versions that are too old. */
const missingServers = async (): Promise<string[]> => {
  const looked = await Promise.all(serverNames.map(async (name) => ({ name, ...(await look(name)) })));
  return looked.filter(({ found }) => !found).map(({ name, tooOld }) => describeWanted(name, tooOld));
};

export interface FetchOptions {
  /** Aborts the download. */
  readonly signal?: AbortSignal;
  /** Called with each step; the function that it returns is called at the step's end. */
  readonly onStep?: (title: string) => () => void;
}

const fetchMissing = async ({ signal, onStep }: FetchOptions): Promise<void> => {
  if ((await missingServers()).length === 0) return;
  const done = onStep?.('Redis and NATS, the first time');
  rmSync(unpackedDir, { recursive: true, force: true });
  const why = await unpackServers(unpackedDir, signal).catch((error: Error) => error.message);
  const left = await missingServers();
  done?.();
  if (left.length > 0)
    throw new Error(howToInstall(left, why ?? "what Debian's packages carry does not run here"));
};

let fetching: Promise<void> | undefined;

/** Fetches Redis and NATS if they are missing. Rejects with a sentence that names what is missing, and how to install it. */
export const ensureServerPrograms = (options: FetchOptions = {}): Promise<void> => {
  fetching ??= fetchMissing(options);
  return fetching;
};

/** Finds a server on PATH or among the unpacked ones; otherwise unpacks it from Debian's packages. */
export const findServer = async (name: ServerName): Promise<ServerBinary> => {
  const { found } = await look(name);
  if (found) return found;
  await ensureServerPrograms();
  const { found: fetched } = await look(name);
  if (!fetched) throw new Error(`${describeWanted(name)} is missing, though it was there a moment ago`);
  return fetched;
};
