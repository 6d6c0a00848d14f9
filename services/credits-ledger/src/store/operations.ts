import type { Subject } from '@tds/contracts';
import type { Pool } from 'pg';
import type { LedgerAnswer, ReserveOutcome, ResolveOutcome } from '../domain/ledger-answer.ts';

/** Names as in the SQL type `ledger_operation`. */
export type Reserve = {
  readonly kind: 'reserve';
  readonly account_id: string;
  readonly ref: string;
  readonly amount: number;
  readonly key_id: string | null;
  /** Absent where the key shares nobody's day. */
  readonly limit_id?: string | undefined;
  readonly daily_cap: number | null;
  readonly request_id: string;
  readonly reason: string;
  readonly subject: Subject | null;
};
export type Resolve = {
  readonly kind: 'settle' | 'release';
  readonly ref: string;
  readonly request_id: string;
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
  told: boolean,
];

/** By the driver itself and in rows without names: this is the ledger's hot path, and Prisma would double its cost. */
const APPLY = {
  name: 'apply-operations',
  text: `SELECT item, outcome, account_id, free, purchased, reserved, version, month, told
         FROM apply_operations($1::jsonb)`,
  rowMode: 'array' as const,
};

const toAnswer = (row: Row): OperationAnswer => {
  const [, outcome, accountId, free, purchased, reserved, version, month, told] = row;
  const balance = accountId && { accountId, free, purchased, reserved, version: Number(version), month };
  return { outcome, told, balance: balance || null };
};

/**
 * Applies all in one statement and one commit; see `prisma/functions/apply_operations.sql`. Answers in the order of the
 * operations.
 */
export const applyOperations = async (
  pool: Pool,
  operations: readonly Operation[],
): Promise<OperationAnswer[]> => {
  const { rows } = await pool.query<Row>({ ...APPLY, values: [JSON.stringify(operations)] });
  // The function answers those of unknown refs first, and numbers its answers from 1.
  const answers: OperationAnswer[] = [];
  for (const row of rows) answers[Number(row[0]) - 1] = toAnswer(row);
  return answers;
};
