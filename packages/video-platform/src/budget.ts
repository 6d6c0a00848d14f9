import { z } from 'zod';

/** Bytes that proxied egresses may read on a day (UTC). Shared by every process that pays the same proxies. */
export interface ByteBudget {
  /** What may still be read for this caller; null for nobody in particular. */
  remaining(callerId: string | null): Promise<number>;
  spend(bytes: number, callerId: string | null): Promise<void>;
}

const utcDay = (at: Date) => at.toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Of all callers together. */
export const memoryByteBudget = (bytesPerDay: number, clock: () => Date = () => new Date()): ByteBudget => {
  let day = utcDay(clock());
  let spent = 0;
  const startNewDay = () => {
    const today = utcDay(clock());
    if (today === day) return;
    day = today;
    spent = 0;
  };
  return {
    async remaining() {
      startNewDay();
      return Math.max(0, bytesPerDay - spent);
    },
    async spend(bytes) {
      startNewDay();
      spent += bytes;
    },
  };
};

export const unlimitedBytes: ByteBudget = {
  remaining: async () => Number.POSITIVE_INFINITY,
  spend: async () => undefined,
};

const DAY_MS = 86_400_000;

/** Whole seconds until the budget refills at 00:00 UTC. */
export const secondsUntilRefill = (now: Date): number =>
  Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);

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

const bytes = z.coerce.number().int().nonnegative();

/** Settings of a service that reads through proxies for accounts, and what it may read of a UTC day unless it is told. */
export const proxyByteFields = (perDay: number) => ({
  /** Bytes per UTC day that all proxies together may read for this service. */
  PLATFORM_PROXY_BYTES_PER_DAY: bytes.default(perDay),
  /** Of these, what may be read for one account; the default is a quarter. */
  PLATFORM_PROXY_BYTES_PER_ACCOUNT: bytes.optional(),
});

const ACCOUNTS_THAT_SPEND_ALL = 4;

type Given = {
  readonly PLATFORM_PROXY_BYTES_PER_DAY: number;
  readonly PLATFORM_PROXY_BYTES_PER_ACCOUNT?: number | undefined;
};

/** As a byte budget takes them. */
export const proxyBytesOf = (given: Given): BytesPerDay => {
  const { PLATFORM_PROXY_BYTES_PER_DAY: ofAll, PLATFORM_PROXY_BYTES_PER_ACCOUNT: ofAccount } = given;
  return { ofAll, ofCaller: ofAccount ?? Math.floor(ofAll / ACCOUNTS_THAT_SPEND_ALL) };
};
