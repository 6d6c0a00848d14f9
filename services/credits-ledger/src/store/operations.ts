import type { Subject } from '@tds/contracts';
import type { Pool } from 'pg';
import type { LedgerAnswer, ReserveOutcome, ResolveOutcome } from '../domain/ledger-answer.ts';

export type Reserve = {
  readonly kind: 'reserve';
  readonly accountId: string;
  readonly ref: string;
  readonly amount: number;
  readonly keyId: string | null;
  /** The key whose day this one shares; absent if it has a day of its own. */
  readonly limitId?: string | undefined;
  readonly dailyCreditCap: number | null;
  readonly requestId: string;
  readonly reason: string;
  readonly subject: Subject | null;
};
export type Resolve = {
  readonly kind: 'settle' | 'release';
  readonly ref: string;
  readonly requestId: string;
};
export type Operation = Reserve | Resolve;
export type OperationAnswer = LedgerAnswer<ReserveOutcome | ResolveOutcome>;

type Row = [
  item: string,
  outcome: OperationAnswer['outcome'],
  accountId: string | null,
  free: number,
  purchased: number,
  reserved: number,
  version: string,
  month: string,
  hasEvents: boolean,
];

/** With the driver itself, and rows without column names: this is the ledger's hot path, and Prisma would double its cost. */
const APPLY = {
  name: 'apply-operations',
  text: `SELECT item, outcome, account_id, free, purchased, reserved, version, month, told
         FROM apply_operations($1::jsonb)`,
  rowMode: 'array' as const,
};

/** As the SQL type `ledger_operation` has it. */
const toSql = (operation: Operation) => {
  const { kind, ref, requestId: request_id } = operation;
  if (kind !== 'reserve') return { kind, ref, request_id };
  const { accountId: account_id, keyId: key_id, limitId: limit_id, dailyCreditCap: daily_cap } = operation;
  const { amount, reason, subject } = operation;
  return { kind, account_id, ref, amount, key_id, limit_id, daily_cap, request_id, reason, subject };
};

const toAnswer = (row: Row): OperationAnswer => {
  const [, outcome, accountId, free, purchased, reserved, version, month, hasEvents] = row;
  const balance = accountId && { accountId, free, purchased, reserved, version: Number(version), month };
  return { outcome, hasEvents, balance: balance || null };
};

/**
 * Applies all in one statement and one commit; see `prisma/functions/apply_operations.sql`. Answers in the order of the
 * operations.
 */
export const applyOperations = async (
  pool: Pool,
  operations: readonly Operation[],
): Promise<OperationAnswer[]> => {
  const { rows } = await pool.query<Row>({ ...APPLY, values: [JSON.stringify(operations.map(toSql))] });
  // The function returns operations on unknown refs first; `item` is their place, from 1.
  const answers: OperationAnswer[] = [];
  for (const row of rows) answers[Number(row[0]) - 1] = toAnswer(row);
  return answers;
};
