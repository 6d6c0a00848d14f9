import type { creditsLedger, Lacking, RequestOf } from '@tds/contracts';
import type { Pool } from 'pg';
import type { PartsAnswer, ReserveOutcome, ResolveOutcome } from '../domain/replies.ts';

export type Reserve = { readonly kind: 'reserve' } & RequestOf<typeof creditsLedger.reserveParts>;
/** Charges parts (`settle`) or gives them back (`release`). */
export type Resolve = {
  readonly kind: 'settle' | 'release';
  readonly ref: string;
  readonly parts: readonly number[];
  readonly requestId: string;
};
export type Operation = Reserve | Resolve;
export type OperationAnswer = PartsAnswer<ReserveOutcome | ResolveOutcome>;

type OperationRow = [
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

/** Uses the driver and rows without column names, because Prisma would double the cost of this hot path. */
const APPLY = {
  name: 'apply-operations',
  text: `SELECT item, outcome, account_id, free, purchased, reserved, version, month, has_events, held, charged, lacked, cap_left
         FROM apply_operations($1::jsonb)`,
  rowMode: 'array' as const,
};

/** In the shape of the SQL type `ledger_operation`. */
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

const toAnswer = (row: OperationRow): OperationAnswer => {
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
 * Applies operations in one statement and one commit; see `prisma/functions/apply_operations.sql`. Resolves to their answers, in their
 * order.
 */
export const applyOperations = async (
  pool: Pool,
  operations: readonly Operation[],
): Promise<OperationAnswer[]> => {
  const { rows } = await pool.query<OperationRow>({
    ...APPLY,
    values: [JSON.stringify(operations.map(toSql))],
  });
  // The function answers operations on unknown refs first; `item` is their index from 1.
  const answers: OperationAnswer[] = [];
  for (const row of rows) answers[Number(row[0]) - 1] = toAnswer(row);
  return answers;
};
