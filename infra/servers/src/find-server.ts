import { accessSync, constants, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { unpackServers } from './debian-packages.ts';
import { localDir } from './paths.ts';
import { runCommand } from './run-command.ts';

export interface ServerBinary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Wanted {
  readonly name: 'nats-server' | 'redis-server';
  readonly oldest: readonly [major: number, minor: number];
}

const unpackedDir = path.join(localDir, 'servers');

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

const suits = async ({ command, env }: ServerBinary, [major, minor]: Wanted['oldest']): Promise<boolean> => {
  if (!isExecutable(command)) return false;
  const version = await runCommand({ command, args: ['--version'], env }).catch(() => '');
  const [, foundMajor, foundMinor] = /v=?(\d+)\.(\d+)/.exec(version) ?? [];
  if (!foundMajor) return false;
  return Number(foundMajor) > major || (Number(foundMajor) === major && Number(foundMinor) >= minor);
};

const look = async ({ name, oldest }: Wanted): Promise<ServerBinary | undefined> => {
  for (const candidate of [...onPath(name), ...unpacked(name)])
    if (await suits(candidate, oldest)) return candidate;
  return undefined;
};

let unpacking: Promise<void> | undefined;

/** Finds a server on PATH or among what was unpacked before; else unpacks it from Debian's packages. */
export const findServer = async (wanted: Wanted): Promise<ServerBinary> => {
  const found = await look(wanted);
  if (found) return found;
  const toInstall = `Install ${wanted.name} ${wanted.oldest.join('.')} or newer and have it on PATH`;
  try {
    unpacking ??= Promise.resolve(rmSync(unpackedDir, { recursive: true, force: true })).then(() =>
      unpackServers(unpackedDir),
    );
    await unpacking;
  } catch (error) {
    throw new Error(`${toInstall}: it could not be fetched from Debian's packages (${error})`);
  }
  const fetched = await look(wanted);
  if (!fetched) throw new Error(`${toInstall}: the one from Debian's packages does not run here`);
  return fetched;
};
