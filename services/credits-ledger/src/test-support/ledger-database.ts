import { checkBooks, checkNewBooks, type Finding } from '@tds/audit/books';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { openTestMonths } from './months.ts';

/** An answer of the SQL functions, with the version as a number. */
export type SqlAnswer = {
  readonly outcome: string;
  readonly account_id: string | null;
  readonly free: number | null;
  readonly purchased: number | null;
  readonly reserved: number | null;
  readonly version: number | null;
  readonly month: string | null;
  readonly has_events: boolean;
  readonly held: readonly number[] | null;
  readonly charged: readonly number[] | null;
  readonly lacked: string | null;
  readonly cap_left: number | null;
};

/** Repeats a call whose wait for an account's lock was too long, as the service does: the functions bound that wait. */
export const untilFree =
  <Args extends unknown[]>(call: (...args: Args) => Promise<SqlAnswer[]>) =>
  async (...args: Args): Promise<SqlAnswer[]> => {
    for (;;) {
      const answers = await call(...args);
      if (!answers.some(({ outcome }) => outcome === 'busy')) return answers;
    }
  };

/** One item, item 1, by default. */
export type ReserveItem = {
  account_id: string;
  ref: string;
  unit: number;
  items?: readonly number[];
  coverage?: 'all' | 'some';
  key_id?: string | null;
  daily_cap?: number | null;
  reason?: string;
  job_id?: string | null;
};

export type Operation =
  | ({ kind: 'reserve' } & ReserveItem)
  | { kind: 'settle' | 'release'; ref: string; items?: readonly number[] };

const at = (now?: Date) => now ?? 'now';

/** A statement that applies an operation and waits for its account. */
export const buildStatement = (operation: Operation, now?: Date) => {
  const { kind, ref, items = [1] } = operation;
  return kind === 'reserve'
    ? {
        name: 'reserve',
        text: 'SELECT * FROM reserve_items($1, NULL, $2)',
        values: [JSON.stringify({ coverage: 'some', ...operation, items }), at(now)],
      }
    : {
        name: 'resolve',
        text: 'SELECT * FROM resolve_items($1, $2, $3, NULL, NULL, $4)',
        values: [kind, ref, items, at(now)],
      };
};

const BIGINT = 20;
const NIL = '00000000-0000-0000-0000-000000000000';
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** The functions of the ledger, called as the service's role; `now` defaults to the database's clock. */
const ledgerFunctions = (pool: pg.Pool) => {
  const call = async (text: string, values: unknown[]) =>
    (await pool.query<SqlAnswer>(`SELECT * FROM ${text}`, values)).rows;
  /** One after the other, each in a commit of its own. */
  const apply = async (operations: readonly Operation[], now?: Date) => {
    const answers: SqlAnswer[] = [];
    for (const operation of operations)
      answers.push(...(await pool.query<SqlAnswer>(buildStatement(operation, now))).rows);
    return answers;
  };
  return {
    apply,
    reserve: (list: readonly ReserveItem[], now?: Date) =>
      apply(
        list.map((item) => ({ kind: 'reserve', ...item })),
        now,
      ),
    settle: (refs: readonly string[], now?: Date) =>
      apply(
        refs.map((ref) => ({ kind: 'settle', ref })),
        now,
      ),
    release: (refs: readonly string[], now?: Date) =>
      apply(
        refs.map((ref) => ({ kind: 'release', ref })),
        now,
      ),
    settleItems: (ref: string, items: readonly number[], now?: Date) =>
      apply([{ kind: 'settle', ref, items }], now),
    releaseItems: (ref: string, items: readonly number[], now?: Date) =>
      apply([{ kind: 'release', ref, items }], now),
    balance: (account: string, now?: Date) => call('get_balance($1, $2)', [account, at(now)]),
    grant: (account: string, ref: string, amount: number, now?: Date) =>
      call('grant_credits($1, $2, $3, NULL, NULL, $4)', [account, ref, amount, at(now)]),
    charge: (item: ReserveItem, now?: Date) =>
      call('charge_items($1, $2)', [JSON.stringify({ items: [1], ...item }), at(now)]),
    buy: (account: string, ref: string, amount: number, now?: Date) =>
      call('grant_purchase($1, $2, $3, NULL, $4)', [account, ref, amount, at(now)]),
    /** Corrects a block as a dispute does. */
    correct: (account: string, ref: string, net: number, now?: Date) =>
      call("correct_block($1, $2, $3, 'dispute', NULL, $4)", [account, ref, net, at(now)]),
    refund: (ref: string, items: readonly number[], now?: Date) =>
      call('refund_items($1, $2, NULL, $3)', [ref, items, at(now)]),
    /** Grants all batches of the day in turn. */
    grantOutage: async (day: string, batch: number, now?: Date) => {
      const answers: SqlAnswer[] = [];
      for (let after = NIL; ; ) {
        const next = await call('grant_outage_credits($1, $2, $3, $4)', [day, after, batch, at(now)]);
        answers.push(...next);
        if (next.length < batch) return answers;
        after = next.at(-1)?.account_id ?? NIL;
      }
    },
    open: (account: string, createdAt: Date, now?: Date) =>
      call('open_account($1, $2, $3)', [account, createdAt, at(now)]),
    setStatus: async (account: string, status: string, version: number): Promise<boolean> => {
      const text = 'SELECT set_account_status($1, $2, $3) AS changed';
      return (
        (await pool.query<{ changed: boolean }>(text, [account, status, version])).rows[0]?.changed === true
      );
    },
  };
};

const runCheck = async (adminUrl: string, check: typeof checkBooks): Promise<Finding[]> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await check(client);
  } finally {
    await client.end();
  }
};

/** Connections to a ledger's database: of the service's role, of the owner and of the administrator. */
export const connectLedgerDatabase = (database: TestDatabase, options: pg.PoolConfig = {}) => {
  const createPool = (connectionString: string) => new pg.Pool({ connectionString, types, ...options });
  const [app, owner, admin] = [
    createPool(database.url),
    createPool(database.ownerUrl),
    createPool(database.adminUrl),
  ];
  // Tests cut connections on purpose; a query on such a connection fails anyway.
  for (const pool of [app, owner, admin]) pool.on('error', () => {});
  return {
    ...database,
    app,
    owner,
    admin,
    functions: ledgerFunctions(app),
    findings: () => runCheck(database.adminUrl, checkBooks),
    newFindings: () => runCheck(database.adminUrl, checkNewBooks),
    disconnect: async (): Promise<void> => void (await Promise.all([app.end(), owner.end(), admin.end()])),
  };
};

/** A ledger database without a ledger, for one test file. */
export const openLedgerDatabase = async (options: pg.PoolConfig = {}) => {
  const database = connectLedgerDatabase(await createTestDatabase('credits-ledger'), options);
  await openTestMonths(database.owner);
  return {
    ...database,
    close: async () => {
      await database.disconnect();
      await database.drop();
    },
  };
};
export type LedgerDatabase = Awaited<ReturnType<typeof openLedgerDatabase>>;
