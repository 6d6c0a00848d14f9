import type { ByteBudget } from './budget.ts';

/** Connections to the database of whoever pays, such as a pool of node-postgres. */
export type BudgetDatabase = {
  query(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
};

export type BytesPerDay = {
  readonly ofAll: number;
  /** Of those who may be read for one caller: the rest is there for the others. */
  readonly ofCaller: number;
};

const ALL = 'all';
const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
const SPENT = `SELECT scope, bytes FROM proxy_spending WHERE scope = ANY ($1) AND day = ${TODAY}`;
const SPEND = `
  INSERT INTO proxy_spending AS spent (scope, day, bytes)
  SELECT scope, ${TODAY}, $2 FROM unnest($1::text[]) AS given (scope) ORDER BY scope
  ON CONFLICT (scope) DO UPDATE SET day = excluded.day,
    bytes = excluded.bytes + CASE WHEN spent.day = excluded.day THEN spent.bytes ELSE 0 END`;

const scopesOf = (callerId: string | null): string[] =>
  callerId === null ? [ALL] : [ALL, `caller:${callerId}`];

/**
 * The budget that every instance of a service shares: a row per caller, and one of all, of its table
 * `proxy_spending (scope, day, bytes)`, with what was read on the latest day.
 */
export const sqlByteBudget = (db: BudgetDatabase, { ofAll, ofCaller }: BytesPerDay): ByteBudget => ({
  async remaining(callerId) {
    const { rows } = await db.query(SPENT, [scopesOf(callerId)]);
    const left = (rows as { scope: string; bytes: string }[]).map(
      ({ scope, bytes }) => (scope === ALL ? ofAll : ofCaller) - Number(bytes),
    );
    return Math.max(0, Math.min(ofAll, ...(callerId === null ? [] : [ofCaller]), ...left));
  },
  async spend(bytes, callerId) {
    await db.query(SPEND, [scopesOf(callerId), bytes]);
  },
});
