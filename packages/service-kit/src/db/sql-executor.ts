import type { Pool } from 'pg';
import type { SqlExecutor } from '../service.ts';

type Queryable = Pick<Pool, 'query'>;

/** A pool or one of its connections as statements outside Prisma see it. */
export const sqlExecutor = (client: Queryable): SqlExecutor => ({
  $queryRawUnsafe: async <T>(sql: string, ...values: unknown[]) =>
    (await client.query(sql, values)).rows as T,
  $executeRawUnsafe: async (sql, ...values) => (await client.query(sql, values)).rowCount ?? 0,
});
