import { createBatcher } from '@tds/base';

/** Bytes that proxied exits may read on a UTC day, shared by every process that pays for the same proxies. */
export interface ByteBudget {
  /** Bytes left for this caller; null for calls without a caller. */
  remaining(callerId: string | null): Promise<number>;
  spend(bytes: number, callerId: string | null): Promise<void>;
}

export const unlimitedBytes: ByteBudget = {
  remaining: async () => Number.POSITIVE_INFINITY,
  spend: async () => undefined,
};

type Counter<Label extends string> = { inc(labels: Record<Label, string>, by?: number): void };
type Gauge = { set(labels: object, value: number): void; reset(): void };
/** Those of a service. */
export type Metrics = {
  counter<Label extends string>(options: { name: string; help: string; labels: Label[] }): Counter<Label>;
  gauge(options: { name: string; help: string; labels: never[] }): Gauge;
  onScrape(collector: { sets: Gauge[]; collect: () => Promise<void> }): void;
};

/** A connection pool, such as that of node-postgres. */
type BudgetDatabase = {
  query(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
};

type BytesPerDay = {
  readonly ofAll: number;
  /** The most that one caller may use of `ofAll`. */
  readonly ofCaller: number;
};

const ALL = 'all';
const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
const FIND_SPENDING = `SELECT scope, bytes FROM proxy_spending WHERE scope = ANY ($1) AND day = ${TODAY}`;
const ADD_SPENDING = `
  INSERT INTO proxy_spending AS spent (scope, day, bytes)
  SELECT scope, ${TODAY}, bytes FROM unnest($1::text[], $2::bigint[]) AS addition (scope, bytes) ORDER BY scope
  ON CONFLICT (scope) DO UPDATE SET day = excluded.day,
    bytes = excluded.bytes + CASE WHEN spent.day = excluded.day THEN spent.bytes ELSE 0 END`;

/** The caller of checks of known videos. It has no share, so that checks end with the day's bytes and not before. */
export const CANARY_CALLER = 'canary';

const hasShare = (callerId: string | null): callerId is string =>
  callerId !== null && callerId !== CANARY_CALLER;

const scopesOf = (callerId: string | null): string[] =>
  hasShare(callerId) ? [ALL, `caller:${callerId}`] : [ALL];

type Sums = ReadonlyMap<string, number>;
type Spending = { readonly scopes: readonly string[]; readonly bytes: number };

/**
 * Sums up what is spent while a statement is under way, so that a process has one statement at a time on the row of all callers. Each
 * spending is written when its promise resolves; what could not be written goes with the next one.
 */
const createSpending = (write: (sums: Sums) => Promise<unknown>): ByteBudget['spend'] => {
  const unwritten = new Map<string, number>();
  const submit = createBatcher({
    call: async (spendings: readonly Spending[]) => {
      for (const { scopes, bytes } of spendings)
        for (const scope of scopes) unwritten.set(scope, (unwritten.get(scope) ?? 0) + bytes);
      await write(unwritten);
      unwritten.clear();
      return spendings.map(() => undefined);
    },
    maxBatch: Number.POSITIVE_INFINITY,
    maxCalls: 1,
  });
  return (bytes, callerId) => submit({ scopes: scopesOf(callerId), bytes });
};

/**
 * The budget that all instances of a service share, in its table `proxy_spending (scope, day, bytes)`: one row for all callers and one
 * per caller, each with the bytes of its latest day.
 */
export const sqlByteBudget = (db: BudgetDatabase, { ofAll, ofCaller }: BytesPerDay): ByteBudget => ({
  async remaining(callerId) {
    const { rows } = await db.query(FIND_SPENDING, [scopesOf(callerId)]);
    const balances = (rows as { scope: string; bytes: string }[]).map(
      ({ scope, bytes }) => (scope === ALL ? ofAll : ofCaller) - Number(bytes),
    );
    return Math.max(0, Math.min(ofAll, ...(hasShare(callerId) ? [ofCaller] : []), ...balances));
  },
  spend: createSpending((sums) => db.query(ADD_SPENDING, [[...sums.keys()], [...sums.values()]])),
});

export type BudgetParts = {
  readonly db: BudgetDatabase;
  readonly metrics: Pick<Metrics, 'gauge' | 'onScrape'>;
};

/** A ratio, so that one alert fits every budget. */
export const measureBudget = ({ db, metrics }: BudgetParts, { ofAll }: Pick<BytesPerDay, 'ofAll'>): void => {
  const spentRatio = metrics.gauge({
    name: 'tds_proxy_bytes_spent_ratio',
    help: "What was spent of the day's bytes that the service may read through proxies; 1 is all",
    labels: [],
  });
  metrics.onScrape({
    sets: [spentRatio],
    collect: async () => {
      const { rows } = await db.query(FIND_SPENDING, [[ALL]]);
      const [row] = rows as { bytes: string }[];
      spentRatio.set({}, Number(row?.bytes ?? 0) / Math.max(ofAll, 1));
    },
  });
};

const ACCOUNTS_THAT_SPEND_ALL = 4;

/** By default an account may use a quarter of the day's bytes. */
export const bytesPerDay = (ofAll: number, ofAccount?: number): BytesPerDay => ({
  ofAll,
  ofCaller: ofAccount ?? Math.floor(ofAll / ACCOUNTS_THAT_SPEND_ALL),
});
