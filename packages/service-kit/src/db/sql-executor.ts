import type { Pool } from 'pg';

/** The part of a Prisma client or transaction that the kit needs; store code passes its own `tx`. */
export type SqlExecutor = {
  $queryRawUnsafe<T = unknown>(sql: string, ...values: unknown[]): Promise<T>;
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
};

/** Anything with Prisma's interactive transactions. */
export type Transactional<Tx> = {
  $transaction<T>(work: (tx: Tx) => Promise<T>, options?: { timeout?: number; maxWait?: number }): Promise<T>;
};

type Queryable = Pick<Pool, 'query'>;

type NameOf = (statement: { readonly sql: string }) => string;

/** A pool or one of its connections as statements outside Prisma see it; with `nameOf` they are parsed and planned once. */
export const sqlExecutor = (client: Queryable, nameOf: NameOf = () => ''): SqlExecutor => {
  const run = (sql: string, values: unknown[]) => client.query({ name: nameOf({ sql }), text: sql, values });
  return {
    $queryRawUnsafe: async <T>(sql: string, ...values: unknown[]) => (await run(sql, values)).rows as T,
    $executeRawUnsafe: async (sql, ...values) => (await run(sql, values)).rowCount ?? 0,
  };
};
