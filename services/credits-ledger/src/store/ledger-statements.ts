import type { AccountStatus } from '@tds/contracts';
import type { LedgerAnswer } from '../domain/ledger-answer.ts';
import type { Sql } from './database.ts';

/** A row of the SQL type `ledger_answer`. */
export type AnswerRow<Outcome extends string> = {
  readonly outcome: Outcome | 'busy';
  readonly account_id: string | null;
  readonly free: number;
  readonly purchased: number;
  readonly reserved: number;
  readonly version: bigint;
  readonly month: string;
  /** Whether the statement saved an event. */
  readonly told: boolean;
};

export const toAnswer = <Outcome extends string>(row: AnswerRow<Outcome>): LedgerAnswer<Outcome> => {
  const { outcome, told: hasEvents, account_id: accountId, free, purchased, reserved, version, month } = row;
  const balance = accountId && { accountId, free, purchased, reserved, version: Number(version), month };
  return { outcome, hasEvents, balance: balance || null };
};

async function only<Outcome extends string>(
  rows: Promise<AnswerRow<Outcome>[]>,
): Promise<LedgerAnswer<Outcome>> {
  const [row] = await rows;
  if (!row) throw new Error('the ledger did not answer');
  return toAnswer(row);
}

/** Each is one statement and, outside a transaction, one commit; see `prisma/functions`. */
export const readBalance = (sql: Sql, accountId: string): Promise<LedgerAnswer<'balance'>> =>
  only(sql.$queryRaw`SELECT * FROM get_balance(${accountId}::uuid)`);

export const refundCharge = (
  sql: Sql,
  ref: string,
  requestId: string,
): Promise<LedgerAnswer<'granted' | 'conflict' | 'closed' | 'unknown'>> =>
  only(sql.$queryRaw`SELECT * FROM refund_charge(${ref}, ${requestId})`);

export const openAccount = (sql: Sql, accountId: string, createdAt: Date): Promise<LedgerAnswer<'opened'>> =>
  only(sql.$queryRaw`SELECT * FROM open_account(${accountId}::uuid, ${createdAt}::timestamptz)`);

/** Whether it changed anything: an older version does not. */
export const setAccountStatus = async (
  sql: Sql,
  { accountId, status, version }: { accountId: string; status: AccountStatus; version: number },
): Promise<boolean> => {
  const [row] = await sql.$queryRaw<{ changed: boolean }[]>`
    SELECT set_account_status(${accountId}::uuid, ${status}, ${version}::bigint) AS changed`;
  return row?.changed === true;
};
