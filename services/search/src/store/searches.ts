import type { ServiceErrorData } from '@tds/errors';
import type { SearchItem } from '@tds/video-platform';
import { earlier, REPLAY_MS } from '../domain/durations.ts';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

/** One requested page of a search. Its id is that of the request and the ledger's ref. */
export type Search = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly limitId: string;
  readonly state: 'open' | 'fetched' | 'delivered' | 'failed';
  readonly question: string;
  readonly results: readonly SearchItem[] | null;
  readonly nextToken: string | null;
  readonly continuation: string | null;
  readonly error: ServiceErrorData | null;
  readonly createdAt: Date;
  readonly waivedAt: Date | null;
};

export const findSearch = async (db: Db, id: string): Promise<Search | null> =>
  (await db.search.findUnique({ where: { id } })) as Search | null;

/** The page before this continuation. */
export const findByContinuation = async (db: Database, continuation: string): Promise<Search | null> =>
  (await db.search.findUnique({ where: { continuation } })) as Search | null;

/** The page of the same question that this key got lately, unless it was voided. */
export const findReplay = async (
  db: Db,
  keyId: string,
  fingerprint: string,
  now: Date,
): Promise<Search | null> => {
  const endedAt = { gt: earlier(now, REPLAY_MS) };
  const where = { keyId, fingerprint, state: 'delivered', waivedAt: null, endedAt };
  return (await db.search.findFirst({ where, orderBy: { endedAt: 'desc' } })) as Search | null;
};

export type NewSearch = Pick<Search, 'id' | 'accountId' | 'keyId' | 'limitId' | 'question'> & {
  readonly fingerprint: string;
};

/** Returns false if the key has the same page open, or the id exists. */
export const openSearch = async (tx: Db, search: NewSearch, now: Date): Promise<boolean> => {
  const { count } = await tx.search.createMany({ data: { ...search, createdAt: now }, skipDuplicates: true });
  return count === 1;
};

type FetchedPage = Pick<Search, 'nextToken' | 'continuation'> & { readonly results: readonly SearchItem[] };

/** Returns false if the search has ended. */
export const saveFetched = async (db: Database, id: string, page: FetchedPage): Promise<boolean> => {
  const { results, ...tokens } = page;
  const { count } = await db.search.updateMany({
    where: { id, state: 'open' },
    data: { ...tokens, results: results as Prisma.InputJsonArray, state: 'fetched' },
  });
  return count === 1;
};

/** Returns false if the search has ended: its page must not be delivered. */
export const saveDelivered = async (db: Database, id: string, now: Date): Promise<boolean> => {
  const { count } = await db.search.updateMany({
    where: { id, state: 'fetched', waivedAt: null },
    data: { state: 'delivered', endedAt: now },
  });
  return count === 1;
};

/** Ends a running search and deletes its page and continuation. Returns false if it has ended already. */
export const saveFailed = async (
  tx: Db,
  id: string,
  error: ServiceErrorData,
  now: Date,
  settlement: 'none' | 'released' | null,
): Promise<boolean> => {
  const { count } = await tx.search.updateMany({
    where: { id, state: { in: ['open', 'fetched'] } },
    data: {
      state: 'failed',
      error: error as Prisma.InputJsonObject,
      endedAt: now,
      settlement,
      results: [],
      nextToken: null,
      continuation: null,
    },
  });
  return count === 1;
};

export const saveReleased = (tx: Db, id: string) =>
  tx.search.updateMany({ where: { id, state: 'failed' }, data: { settlement: 'released' } });
