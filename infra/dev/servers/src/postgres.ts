import pg from 'pg';
import { onFreePort } from './free-port.ts';
import { adoptStaleLock, ensureCluster } from './postgres-cluster.ts';
import { type LifeOptions, type RunningServer, runServer } from './running-server.ts';
import { endStaleServer } from './server-process.ts';

export interface PostgresOptions extends LifeOptions {
  /** Its folder: data, log and the administrator's password. */
  readonly dir: string;
  readonly port?: number | undefined;
  /** Throwaway servers give up durability for speed; their folder is deleted with the process that started them. */
  readonly throwaway?: boolean;
  /** Settings of postgresql.conf that differ from the defaults here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Of the server, beside what it has anyway. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

/** `url` is the administrator's, of the database "postgres". */
export type RunningPostgres = RunningServer & { readonly url: string };

const commonSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  password_encryption: 'scram-sha-256',
  max_connections: '400',
};
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  autovacuum: 'off',
  scram_iterations: '1',
  log_connections: 'on',
};

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A refused or cut connection is the answer "not yet".
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};

/** Starts Postgres on its folder, creating the cluster the first time. Only the loopback interface reaches it. */
export const ensurePostgres = async (options: PostgresOptions): Promise<RunningPostgres> => {
  const { dir, throwaway = false, keepAlive, onEvent, environment } = options;
  await endStaleServer('Postgres', dir, 'SIGINT');
  const { dataDir, password, serverCommand } = await ensureCluster(dir, !throwaway);
  const settings = {
    ...commonSettings,
    ...(throwaway ? throwawaySettings : durableSettings),
    ...options.settings,
  };
  const urlAt = (port: number): string =>
    `postgresql://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=disable`;

  const server = await onFreePort(options.port, async (port) => {
    const flags = Object.entries({ ...settings, port }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const { env = {}, ...command } = serverCommand(flags);
    return runServer({
      port,
      keepAlive,
      onEvent,
      beforeStart: async () => adoptStaleLock(dataDir),
      spec: {
        ...command,
        env: { ...env, ...environment },
        name: 'Postgres',
        dir,
        stopSignal: 'SIGINT',
        isReady: () => answers(urlAt(port)),
        throwaway,
      },
    });
  });
  return Object.assign(server, { url: urlAt(server.port) });
};
