import type { Database } from './database.ts';

type Charged = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly limitId: string;
  /** Its time, to the millisecond that it is kept to, and its id. */
  readonly place: string;
};

const PAGE = 200;
const FIRST = '-infinity 00000000-0000-0000-0000-000000000000';

/** Searches that were begun in this time and delivered for a credit, in their order. */
export const chargedSearches = (
  db: Database,
  { from, to }: { readonly from: Date; readonly to: Date },
  after: string | null,
): Promise<Charged[]> => {
  const [time, id] = (after ?? FIRST).split(' ');
  return db.$queryRaw`
    SELECT id, account_id AS "accountId", key_id AS "keyId", limit_id AS "limitId",
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || id AS place
    FROM searches
    WHERE state = 'delivered' AND settlement IS NULL AND created_at BETWEEN ${from} AND ${to}
      AND (created_at, id) > (${time}::timestamptz, ${id}::uuid)
    ORDER BY created_at, id LIMIT ${PAGE}`;
};

/** What became of those among the ids that are searches. */
export const searchesAmong = async (
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.$queryRaw<{ id: string; state: string }[]>`
    SELECT id, state FROM searches WHERE id = ANY (${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, state }) => [id, state]));
};

/** The ledger has lost the charge, and the account cannot be charged any more. */
export const saveUncollected = async (db: Database, id: string): Promise<void> => {
  await db.search.updateMany({ where: { id, state: 'delivered' }, data: { settlement: 'uncollected' } });
};
