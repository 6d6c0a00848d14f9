import type { ByteBudget } from './budget.ts';

/** Connections to the database of whoever pays, such as a pool of node-postgres. */
export type BudgetDatabase = {
  query(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
};

const SPENT = `SELECT bytes FROM proxy_spending WHERE day = (now() AT TIME ZONE 'UTC')::date`;
const SPEND = `
  INSERT INTO proxy_spending (day, bytes) VALUES ((now() AT TIME ZONE 'UTC')::date, $1)
  ON CONFLICT (day) DO UPDATE SET bytes = proxy_spending.bytes + excluded.bytes`;

/** The budget that every instance of a service shares: a row per UTC day of its table `proxy_spending (day, bytes)`. */
export const sqlByteBudget = (db: BudgetDatabase, bytesPerDay: number): ByteBudget => ({
  async remaining() {
    const { rows } = await db.query(SPENT, []);
    const [row] = rows as { bytes: string }[];
    return Math.max(0, bytesPerDay - Number(row?.bytes ?? 0));
  },
  async spend(bytes) {
    await db.query(SPEND, [bytes]);
  },
});
