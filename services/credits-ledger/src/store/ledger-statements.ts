import type { AccountStatus } from '@tds/contracts';
import type { LedgerAnswer, ReserveOutcome, ResolveOutcome } from '../domain/ledger-answer.ts';
import type { Sql } from './database.ts';

/** A row of the SQL type `ledger_answer`; `item` counts from 1. */
export type AnswerRow<Outcome extends string> = {
  readonly item: bigint;
  readonly outcome: Outcome | 'busy';
  readonly account_id: string | null;
  readonly free: number;
  readonly purchased: number;
  readonly reserved: number;
  readonly version: bigint;
  readonly month: string;
  readonly told: boolean;
};

export type ReserveItem = {
  readonly account_id: string;
  readonly ref: string;
  readonly amount: number;
  readonly key_id: string | null;
  readonly daily_cap: number | null;
  readonly request_id: string;
  readonly reason: string;
};
export type ResolveItem = { readonly ref: string; readonly request_id: string };

export const toAnswer = <Outcome extends string>(row: AnswerRow<Outcome>): LedgerAnswer<Outcome> => {
  const { outcome, told, account_id: accountId, free, purchased, reserved, version, month } = row;
  const balance = accountId && { accountId, free, purchased, reserved, version: Number(version), month };
  return { outcome, told, balance: balance || null };
};

/** In the order of the items; the functions answer account by account. */
async function inOrder<Outcome extends string>(
  rows: Promise<AnswerRow<Outcome>[]>,
): Promise<LedgerAnswer<Outcome>[]> {
  return (await rows).toSorted((a, b) => Number(a.item - b.item)).map(toAnswer);
}

async function only<Outcome extends string>(
  rows: Promise<AnswerRow<Outcome>[]>,
): Promise<LedgerAnswer<Outcome>> {
  const [answer] = await inOrder(rows);
  if (!answer) throw new Error('the ledger did not answer');
  return answer;
}

/** Each is one statement and, outside a transaction, one commit; see the functions in the migrations. */
export const reserveMany = (
  sql: Sql,
  items: readonly ReserveItem[],
): Promise<LedgerAnswer<ReserveOutcome>[]> =>
  inOrder(sql.$queryRaw`SELECT * FROM reserve_many(${JSON.stringify(items)}::jsonb)`);

export const settleMany = (
  sql: Sql,
  items: readonly ResolveItem[],
): Promise<LedgerAnswer<ResolveOutcome>[]> =>
  inOrder(sql.$queryRaw`SELECT * FROM settle_many(${JSON.stringify(items)}::jsonb)`);

export const releaseMany = (
  sql: Sql,
  items: readonly ResolveItem[],
): Promise<LedgerAnswer<ResolveOutcome>[]> =>
  inOrder(sql.$queryRaw`SELECT * FROM release_many(${JSON.stringify(items)}::jsonb)`);

export const readBalance = (sql: Sql, accountId: string): Promise<LedgerAnswer<'balance'>> =>
  only(sql.$queryRaw`SELECT * FROM get_balance(${accountId}::uuid)`);

export const openAccount = (sql: Sql, accountId: string, createdAt: Date): Promise<LedgerAnswer<'opened'>> =>
  only(sql.$queryRaw`SELECT * FROM open_account(${accountId}::uuid, ${createdAt}::timestamptz)`);

/** Whether it was news: an older version changes nothing. */
export const setAccountStatus = async (
  sql: Sql,
  { accountId, status, version }: { accountId: string; status: AccountStatus; version: number },
): Promise<boolean> => {
  const [row] = await sql.$queryRaw<{ changed: boolean }[]>`
    SELECT set_account_status(${accountId}::uuid, ${status}, ${version}::bigint) AS changed`;
  return row?.changed === true;
};
