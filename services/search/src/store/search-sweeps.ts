import { FIRST_ID } from '@tds/base';
import type { ServiceErrorData } from '@tds/errors';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';
import type { Search } from './searches.ts';

/** `cursor` is its time in milliseconds and its id, for paging. */
type ChargedSearch = Pick<Search, 'id' | 'accountId' | 'keyId' | 'limitId'> & { readonly cursor: string };

const PAGE = 200;
const FIRST = '-infinity 00000000-0000-0000-0000-000000000000';

/** Delivered and charged searches of a period, in order. */
export const chargedSearches = (
  db: Database,
  { from, to }: { readonly from: Date; readonly to: Date },
  after: string | null,
): Promise<ChargedSearch[]> => {
  const [time, id] = (after ?? FIRST).split(' ');
  return db.$queryRaw`
    SELECT id, account_id AS "accountId", key_id AS "keyId", limit_id AS "limitId",
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || id AS cursor
    FROM searches
    WHERE state = 'delivered' AND settlement IS NULL AND created_at BETWEEN ${from} AND ${to}
      AND (created_at, id) > (${time}::timestamptz, ${id}::uuid)
    ORDER BY created_at, id LIMIT ${PAGE}`;
};

/** The states of these searches, by id; unknown ids are missing. */
export const findSearchStates = async (
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.search.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, state: true },
  });
  return new Map(rows.map(({ id, state }) => [id, state]));
};

/** Saves that the ledger has lost the charge and the account cannot be charged again. */
export const saveUncollected = (db: Database, id: string) =>
  db.search.updateMany({ where: { id, state: 'delivered' }, data: { settlement: 'uncollected' } });

type Id = { readonly id: string };

/** SQL for when the first search or listing counts as abandoned, `afterMs` after its start. */
export const firstAbandoned = (afterMs: number): string => `
  SELECT min(created_at) + interval '${afterMs} ms' FROM (
    (SELECT created_at FROM searches WHERE state IN ('open', 'fetched') ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT created_at FROM searches WHERE state = 'failed' AND settlement IS NULL ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT min(created_at) FROM listings WHERE state = 'open')
  ) AS open`;

/** Searches that started before `before` and have not ended, in the order of ids. */
export const abandonedSearches = (db: Database, before: Date, after = FIRST_ID): Promise<Id[]> =>
  db.$queryRaw`
    SELECT id FROM searches WHERE state IN ('open', 'fetched') AND created_at < ${before} AND id > ${after}::uuid
    ORDER BY id LIMIT ${PAGE}`;

/** Failed searches whose credit must be released, without a task for it. */
export const searchesToRelease = (db: Database, before: Date, after = FIRST_ID): Promise<Id[]> =>
  db.$queryRaw`
    SELECT id FROM searches AS s
    WHERE state = 'failed' AND settlement IS NULL AND created_at < ${before} AND id > ${after}::uuid
      AND NOT EXISTS (SELECT FROM messaging.tasks AS t
        WHERE t.name = 'give-back-search' AND t.dedupe_key = s.id::text AND t.state = 'ready')
    ORDER BY id LIMIT ${PAGE}`;

/** Open listings that started before `before`, without a task. */
export const abandonedListings = (db: Database, before: Date, after = FIRST_ID): Promise<Id[]> =>
  db.$queryRaw`
    SELECT id FROM listings AS l WHERE state = 'open' AND created_at < ${before} AND id > ${after}::uuid
      AND NOT EXISTS (SELECT FROM messaging.tasks AS t
        WHERE t.name = 'make-listing' AND t.dedupe_key = l.id::text AND t.state = 'ready')
    ORDER BY id LIMIT ${PAGE}`;

/**
 * Voids a request, even before it arrives here: a tombstone then keeps it from starting. Returns whether there is a credit to give
 * back.
 */
export const waive = async (
  tx: Db,
  request: Pick<Search, 'id' | 'accountId' | 'keyId'>,
  error: ServiceErrorData,
  now: Date,
): Promise<boolean> => {
  const endFields = {
    state: 'failed',
    error: error as Prisma.InputJsonObject,
    endedAt: now,
    waivedAt: now,
  };
  const tombstone = { ...request, ...endFields, settlement: 'none', createdAt: now };
  const emptyFields = { limitId: request.keyId, fingerprint: '', question: '' };
  const { count } = await tx.search.createMany({
    data: { ...tombstone, ...emptyFields },
    skipDuplicates: true,
  });
  if (count === 1) return false;
  const { count: updatedCount } = await tx.search.updateMany({
    where: { id: request.id, accountId: request.accountId, waivedAt: null, state: { not: 'failed' } },
    data: { ...endFields, settlement: null, results: [], nextToken: null, continuation: null },
  });
  return updatedCount === 1;
};
