import type { Seals } from '@tds/service-kit';
import type { Database } from './database.ts';

const PAGE = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export type StoredSecret = { readonly id: string; readonly accountId: string; readonly sealed: string };

export const secretsAfter = (db: Database, after: StoredSecret | null): Promise<StoredSecret[]> =>
  db.secret.findMany({
    where: { id: { gt: after?.id ?? FIRST_ID } },
    select: { id: true, accountId: true, sealed: true },
    orderBy: { id: 'asc' },
    take: PAGE,
  });

/** Seals with the first key what an older one has sealed. Opened it is the same, so nobody has to wait for it. */
export const resealSecret = async (
  db: Database,
  seals: Seals,
  { id, accountId, sealed }: StoredSecret,
): Promise<void> => {
  if (seals.isCurrent(sealed)) return;
  const again = seals.seal(seals.open(sealed, accountId), accountId);
  await db.secret.updateMany({ where: { id, sealed }, data: { sealed: again } });
};
