import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { urlFor, withClient } from '@tds/servers';

const run = promisify(execFile);
const DATABASE = 'pgbench_peer';
/** 2 million accounts, about 300 MB. */
const SCALE = 20;
/** On a slow machine. The time to connect shortens the run, but is not in the rate. */
const CONNECTED_A_SECOND = 100;

export type Pgbench = {
  /** Transactions per second of `simple-update`, prepared. */
  simpleUpdate(options: { clients: number; seconds: number }): Promise<number>;
};

const connection = (adminUrl: string): NodeJS.ProcessEnv => {
  const { hostname, port, username, password } = new URL(adminUrl);
  return {
    PATH: process.env.PATH,
    PGSSLMODE: 'disable',
    PGDATABASE: DATABASE,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
  };
};

/** Null if pgbench is not on PATH: the Postgres of the workspace does not include it. */
export const findPgbench = (): string | null => {
  try {
    return execFileSync('pgbench', ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    return null; // not installed
  }
};

export async function preparePgbench(adminUrl: string): Promise<Pgbench> {
  const env = connection(adminUrl);
  await withClient(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE}`);
    await client.query(`CREATE DATABASE ${DATABASE}`);
  });
  await run('pgbench', ['--initialize', '--quiet', '--scale', String(SCALE)], { env });
  await withClient(urlFor(adminUrl, DATABASE), (client) => client.query('CHECKPOINT'));
  return {
    async simpleUpdate({ clients, seconds }) {
      const flags = ['--builtin', 'simple-update', '--protocol', 'prepared', '--no-vacuum'];
      const time = Math.ceil(seconds + clients / CONNECTED_A_SECOND);
      const size = ['--client', String(clients), '--jobs', '1', '--time', String(time)];
      const { stdout } = await run('pgbench', [...flags, ...size], { env });
      const match = /tps = ([\d.]+)/.exec(stdout);
      if (!match) throw new Error(stdout);
      return Number(match[1]);
    },
  };
}
