import { DAY_MS, earlier } from '../domain/time.ts';
import type { Db } from './prisma-client.ts';

export type Purged = {
  readonly sessions: number;
  readonly addresses: number;
  readonly throttleWindows: number;
};

/** Deletes what no rule looks at any more: sessions that ended, and sign-in facts older than the longest window. */
export const purgeExpiredRows = async (db: Db, now: Date): Promise<Purged> => {
  const dayAgo = earlier(now, DAY_MS);
  const sessions = await db.session.deleteMany({
    where: { OR: [{ idleExpiresAt: { lte: now } }, { expiresAt: { lte: now } }] },
  });
  const addresses = await db.signInAddress.deleteMany({
    where: { expiresAt: { lte: dayAgo }, OR: [{ dayStartedAt: null }, { dayStartedAt: { lte: dayAgo } }] },
  });
  const windows = await db.throttleWindow.deleteMany({ where: { startedAt: { lte: dayAgo } } });
  return { sessions: sessions.count, addresses: addresses.count, throttleWindows: windows.count };
};
