import type { Db } from './database.ts';

/** Locks the queue of an account until the transaction ends, and creates it if needed. Every change of its deliveries and webhook takes this lock. */
export const lockQueue = (tx: Db, accountId: string) =>
  tx.$executeRaw`
    INSERT INTO queues (account_id) VALUES (${accountId}::uuid)
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id`;

/** Test events, resends and new receivers per account and UTC day. They are free, and each is a row. */
const MAX_REQUESTED_PER_DAY = 200;

/** Counts test events, resends and new receivers; false if they are beyond the daily limit of the account. Requires the queue lock. */
export const countRequestedDeliveries = async (tx: Db, accountId: string, count: number): Promise<boolean> => {
  const counted = await tx.$executeRaw`
    UPDATE queues SET asked = CASE WHEN asked_on = today THEN asked ELSE 0 END + ${count}::int, asked_on = today
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS day
    WHERE account_id = ${accountId}::uuid
      AND (asked_on IS DISTINCT FROM today OR asked <= ${MAX_REQUESTED_PER_DAY - count}::int)`;
  return counted > 0;
};

/** Version for events: database time in microseconds. It grows under the queue lock, also after a restore. */
export const changeVersion = async (tx: Db): Promise<number> => {
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1e6)::float8 AS version`;
  return row?.version ?? 0;
};
