import type { ServiceErrorData } from '@tds/contracts';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

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

type Id = { readonly id: string };

/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** When the first of what follows may be left by a death, if what takes longer than this is. */
export const firstAbandoned = (afterMs: number): string => `
  SELECT min(created_at) + interval '${afterMs} ms' FROM (
    (SELECT created_at FROM searches WHERE state IN ('open', 'fetched') ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT created_at FROM searches WHERE state = 'failed' AND settlement IS NULL ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT min(created_at) FROM listings WHERE state = 'open')
  ) AS open`;

/** Searches that were begun before this and have not ended, with ids beyond `after`. */
export const abandonedSearches = (db: Database, before: Date, after = FIRST_ID): Promise<Id[]> =>
  db.$queryRaw`
    SELECT id FROM searches WHERE state IN ('open', 'fetched') AND created_at < ${before} AND id > ${after}::uuid
    ORDER BY id LIMIT ${PAGE}`;

/** Searches that have failed, and whose credit nobody gives back although that is due. */
export const searchesToGiveBack = (db: Database, before: Date, after = FIRST_ID): Promise<Id[]> =>
  db.$queryRaw`
    SELECT id FROM searches AS s
    WHERE state = 'failed' AND settlement IS NULL AND created_at < ${before} AND id > ${after}::uuid
      AND NOT EXISTS (SELECT FROM messaging.tasks AS t
        WHERE t.name = 'give-back-search' AND t.dedupe_key = s.id::text AND t.state = 'ready')
    ORDER BY id LIMIT ${PAGE}`;

/** Listings that were begun before this, are not complete, and nobody walks on with. */
export const abandonedListings = (db: Database, before: Date, after = FIRST_ID): Promise<Id[]> =>
  db.$queryRaw`
    SELECT id FROM listings AS l WHERE state = 'open' AND created_at < ${before} AND id > ${after}::uuid
      AND NOT EXISTS (SELECT FROM messaging.tasks AS t
        WHERE t.name = 'make-listing' AND t.dedupe_key = l.id::text AND t.state = 'ready')
    ORDER BY id LIMIT ${PAGE}`;

/**
 * Takes back whatever became, or will become, of a request: also one that has not come here yet. Answers whether there is
 * a credit to give back.
 */
export const disown = async (
  tx: Db,
  given: { readonly id: string; readonly accountId: string; readonly keyId: string },
  error: ServiceErrorData,
  now: Date,
): Promise<boolean> => {
  const ended = { state: 'failed', error: error as Prisma.InputJsonObject, endedAt: now, disownedAt: now };
  const tombstone = { ...given, ...ended, settlement: 'none', createdAt: now };
  const never = { limitId: given.keyId, fingerprint: '', question: '' };
  const { count } = await tx.search.createMany({ data: { ...tombstone, ...never }, skipDuplicates: true });
  if (count === 1) return false;
  const { count: taken } = await tx.search.updateMany({
    where: { id: given.id, accountId: given.accountId, disownedAt: null, state: { not: 'failed' } },
    data: { ...ended, settlement: null, results: [], nextToken: null, continuation: null },
  });
  return taken === 1;
};
