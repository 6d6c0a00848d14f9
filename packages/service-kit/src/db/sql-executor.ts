import type { Pool } from 'pg';
import type { SqlExecutor } from '../service.ts';

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
