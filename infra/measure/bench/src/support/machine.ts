import { execFileSync } from 'node:child_process';
import { arch, cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Servers } from '@tds/local';
import { findServer, withClient } from '@tds/servers';

export type Facts = readonly (readonly [name: string, value: string])[];

const GIB = 1_024 ** 3;

const POSTGRES_FACTS =
  'server_version fsync synchronous_commit full_page_writes wal_sync_method shared_buffers max_wal_size';

const postgresFacts = (url: string): Promise<Facts> =>
  withClient(url, async (client) => {
    const sql = `SELECT name || ' ' || current_setting(name) AS fact FROM unnest($1::text[]) AS name`;
    const { rows } = await client.query<{ fact: string }>(sql, [POSTGRES_FACTS.split(' ')]);
    return [['Postgres', rows.map(({ fact }) => fact).join(', ')]];
  });

const readVersion = async (name: 'nats-server' | 'redis-server'): Promise<string> => {
  const { command, env } = await findServer(name);
  const text = execFileSync(command, ['--version'], { env, encoding: 'utf8' });
  return /v=?(\d+\.\d+\.\d+)/.exec(text)?.[1] ?? text.trim();
};

/** Describes the machine that a run's figures come from. */
export const machineFacts = async (servers: Servers): Promise<Facts> => [
  ['when', new Date().toISOString().slice(0, 16).replace('T', ' ')],
  ['processor', `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`],
  ['memory', `${(totalmem() / GIB).toFixed(1)} GiB`],
  ['system', `${type()} ${release()} ${arch()}`],
  ['load before the run', loadavg()[0]?.toFixed(2) ?? '-'],
  ['Node', process.version],
  ...(await postgresFacts(servers.postgres.url)),
  ['NATS', `${await readVersion('nats-server')}, JetStream in files, the server's own sync_interval (2 min)`],
  ['Redis', `${await readVersion('redis-server')}, save "", appendonly no`],
];
