import type { ByteBudget } from '@tds/video-platform';
import type { Database } from './database.ts';

/** The byte budget that every instance shares: one row per UTC day. */
export const proxyBudget = (db: Database, bytesPerDay: number): ByteBudget => ({
  async remaining() {
    const [row] = await db.$queryRaw<{ bytes: bigint }[]>`
      SELECT bytes FROM proxy_spending WHERE day = (now() AT TIME ZONE 'UTC')::date`;
    return Math.max(0, bytesPerDay - Number(row?.bytes ?? 0));
  },
  async spend(bytes) {
    await db.$executeRaw`
      INSERT INTO proxy_spending (day, bytes) VALUES ((now() AT TIME ZONE 'UTC')::date, ${bytes})
      ON CONFLICT (day) DO UPDATE SET bytes = proxy_spending.bytes + excluded.bytes`;
  },
});
