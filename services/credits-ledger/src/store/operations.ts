import type { creditsLedger, Lacking, RequestOf } from '@tds/contracts';
import type { Pool } from 'pg';
import type { PartsAnswer, ReserveOutcome, ResolveOutcome } from '../domain/ledger-answer.ts';

export type Reserve = { readonly kind: 'reserve' } & RequestOf<typeof creditsLedger.reserveParts>;
/** Charges parts, or gives them back. */
export type Resolve = {
  readonly kind: 'settle' | 'release';
  readonly ref: string;
  readonly parts: readonly number[];
  readonly requestId: string;
};
export type Operation = Reserve | Resolve;
export type OperationAnswer = PartsAnswer<ReserveOutcome | ResolveOutcome>;

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
  held: number[],
  charged: number[],
  lacked: Lacking | null,
  capLeft: string | null,
];

/** With the driver itself, and rows without column names: this is the ledger's hot path, and Prisma would double its cost. */
const APPLY = {
  name: 'apply-operations',
  text: `SELECT item, outcome, account_id, free, purchased, reserved, version, month, told, held, charged, lacked, cap_left
         FROM apply_operations($1::jsonb)`,
  rowMode: 'array' as const,
};

/** As the SQL type `ledger_operation` has it. */
const toSql = (operation: Operation) => {
  const { kind, ref, parts, requestId: request_id } = operation;
  if (kind !== 'reserve') return { kind, ref, parts, request_id };
  const { accountId: account_id, keyId: key_id, limitId: limit_id, dailyCreditCap: daily_cap } = operation;
  const { unit, coverage, reason, subject, jobId: job_id } = operation;
  return {
    kind,
    account_id,
    ref,
    unit,
    parts,
    coverage,
    key_id,
    limit_id,
    daily_cap,
    request_id,
    reason,
    subject,
    job_id,
  };
};

const toAnswer = (row: Row): OperationAnswer => {
  const [, outcome, accountId, free, purchased, reserved, version, month, hasEvents] = row;
  const [, , , , , , , , , held, charged, lacked, capLeft] = row;
  const balance = accountId && { accountId, free, purchased, reserved, version: Number(version), month };
  return {
    outcome,
    hasEvents,
    held,
    charged,
    lacked,
    balance: balance || null,
    capLeft: capLeft === null ? null : Number(capLeft),
  };
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
