import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { findPostgres } from './postgres-binaries.ts';
import { asPostgresUser, type Ids, postgresUser } from './postgres-user.ts';
import { type Command, runCommand } from './run-command.ts';

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
export const ensureCluster = async (dir: string, lasting: boolean): Promise<Cluster> => {
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
    const sync = lasting ? [] : ['--no-sync'];
    await runCommand(
      command('initdb', [...flags, ...localeFlags(major), `--pwfile=${passwordFile}`, ...sync]),
    );
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
export const disownStaleLock = (dataDir: string): void => {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [String(process.pid), ...rest].join('\n'));
};
