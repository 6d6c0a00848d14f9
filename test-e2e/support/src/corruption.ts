import { type Connection, type Evidence, openPool } from '@tds/audit';
import type pg from 'pg';
import type { TestSystem } from './system.ts';

/** What is done to the databases, by service, as their administrator. */
export type Corruption = Readonly<Record<string, string>>;

/** The check of the books opens a transaction of its own, which it may not have inside this one. */
const isBoundary = (sql: string): boolean => /^(BEGIN|ROLLBACK)/.test(sql);

const inside = (client: pg.PoolClient): Connection => ({
  query: async (sql, values) => {
    if (isBoundary(sql)) return { rows: [] };
    return client.query(sql, values) as unknown as { rows: never[] };
  },
});

const pools = new Map<string, pg.Pool>();

const connect = async (address: string): Promise<pg.PoolClient> => {
  const pool = pools.get(address) ?? openPool(address);
  pools.set(address, pool);
  return pool.connect();
};

/** Shows a system's databases as if they had been changed. Nothing is, for nothing is committed. */
export async function asIfCorrupted<T>(
  { databases }: TestSystem,
  corruption: Corruption,
  check: (evidence: Evidence) => Promise<T>,
): Promise<T> {
  const clients = new Map<string, pg.PoolClient>();
  const open = async (service: string): Promise<pg.PoolClient> => {
    const existing = clients.get(service);
    if (existing) return existing;
    const client = await connect(String(databases[service]?.adminUrl));
    clients.set(service, client);
    await client.query('BEGIN');
    return client;
  };
  try {
    for (const [service, change] of Object.entries(corruption)) await (await open(service)).query(change);
    const withConnection: Evidence['withConnection'] = async (service, use) => use(inside(await open(service)));
    return await check({
      atRest: true,
      withConnection,
      rows: async (service, sql, values) => (await (await open(service)).query(sql, values)).rows,
    });
  } finally {
    for (const client of clients.values()) {
      await client.query('ROLLBACK');
      client.release();
    }
  }
}
