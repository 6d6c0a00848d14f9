import { onlyRow, type Sql } from '@tds/base';
import type { AccountStatus } from '@tds/contracts';
import type { LedgerAnswer } from '../domain/replies.ts';
import { type Db, readValue } from './database.ts';

/** A row of the SQL type `ledger_answer`. */
export type LedgerAnswerRow<Outcome extends string> = {
  readonly outcome: Outcome | 'busy';
  readonly account_id: string | null;
  readonly free: number;
  readonly purchased: number;
  readonly reserved: number;
  /** Text from the driver itself. */
  readonly version: bigint | string;
  readonly month: string;
  /** Whether the statement saved an event. */
  readonly has_events: boolean;
};

export const toAnswer = <Outcome extends string>(row: LedgerAnswerRow<Outcome>): LedgerAnswer<Outcome> => {
  const { outcome, has_events: hasEvents, account_id: accountId, free, purchased, reserved, month } = row;
  if (accountId === null || outcome === 'busy') return { outcome, hasEvents, balance: null };
  const balance = { accountId, free, purchased, reserved, version: Number(row.version), month };
  return { outcome, hasEvents, balance };
};

export const readAnswer = async <Outcome extends string>(rows: Promise<LedgerAnswerRow<Outcome>[]>) =>
  toAnswer(onlyRow(await rows));

type OwnFacts = { readonly debt: number; readonly mailThreshold: number | null };

export const readBalance = async (db: Db, accountId: string): Promise<LedgerAnswer<'balance'> & OwnFacts> => {
  const row = onlyRow(
    await db.$queryRaw<(LedgerAnswerRow<'balance'> & OwnFacts)[]>`
    SELECT b.*, coalesce(a.debt, 0) AS debt, a.mail_threshold AS "mailThreshold"
    FROM get_balance(${accountId}::uuid) AS b LEFT JOIN accounts AS a USING (account_id)`,
  );
  return { ...toAnswer(row), debt: row.debt, mailThreshold: row.mailThreshold };
};

export const openAccount = (db: Db, accountId: string, createdAt: Date): Promise<LedgerAnswer<'opened'>> =>
  readAnswer(db.$queryRaw`SELECT * FROM open_account(${accountId}::uuid, ${createdAt}::timestamptz)`);

type Threshold = { readonly accountId: string; readonly threshold: number | null; readonly version: number };

/** Resolves to false for an older version, which changes nothing. Throws if the account stays locked. */
export const setLowThreshold = (db: Db, { accountId, threshold, version }: Threshold): Promise<boolean> =>
  readValue(db.$queryRaw`
    SELECT set_low_threshold(
      p_account_id => ${accountId}::uuid, p_threshold => ${threshold}::integer, p_version => ${version}::bigint
    ) AS value`);

export const setMailThreshold = (db: Db, { accountId, threshold }: Omit<Threshold, 'version'>) =>
  db.$queryRaw`SELECT set_mail_threshold(${accountId}::uuid, ${threshold}::integer)::text`;

/** As `setLowThreshold`, of the refill. */
export const setRefillThreshold = (db: Db, { accountId, threshold, version }: Threshold): Promise<boolean> =>
  readValue(db.$queryRaw`
    SELECT set_refill_threshold(
      p_account_id => ${accountId}::uuid, p_threshold => ${threshold}::integer, p_version => ${version}::bigint
    ) AS value`);

const FIND_REFILLS = `
  SELECT account_id AS "accountId", refill_version::float8 AS version,
    coalesce(free_month >= month_of(clock_timestamp()) AND free::bigint + purchased < refill_threshold, false) AS "isLow"
  FROM accounts WHERE account_id = ANY ($1)`;

type RefillRow = { readonly accountId: string; readonly version: number; readonly isLow: boolean };

/** Leaves out unknown accounts. An account whose month has not begun is not low: its free credits are to come. */
export const readRefillStates = (sql: Sql, accountIds: readonly string[]): Promise<RefillRow[]> =>
  sql(FIND_REFILLS, [accountIds]);

/** Resolves to false for an older version, which changes nothing. */
export const setAccountStatus = (
  db: Db,
  { accountId, status, version }: { accountId: string; status: AccountStatus; version: number },
): Promise<boolean> =>
  readValue(db.$queryRaw`
    SELECT set_account_status(p_account_id => ${accountId}::uuid, p_status => ${status}, p_version => ${version}::bigint) AS value`);
