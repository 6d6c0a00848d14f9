import type { Bytes } from '../domain/vault.ts';
import type { Db } from './database.ts';

const PAGE = 500;

export type UntoldEnd = { readonly id: string };

/** Keys that have come to the end of their grace, of which nobody has been told. */
export const untoldEnds = (db: Db, now: Date, after: string | undefined): Promise<UntoldEnd[]> =>
  db.apiKey.findMany({
    where: { endTold: false, revokeAt: { lte: now }, ...(after && { id: { gt: after } }) },
    orderBy: { id: 'asc' },
    take: PAGE,
    select: { id: true },
  });

/** Those of the keys that were not told before, which are told with this transaction. */
export const markTold = (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; accountId: string; sealedDigest: Bytes }[]> =>
  db.apiKey.updateManyAndReturn({
    where: { id: { in: [...ids] }, endTold: false },
    data: { endTold: true },
    select: { id: true, accountId: true, sealedDigest: true },
  });
