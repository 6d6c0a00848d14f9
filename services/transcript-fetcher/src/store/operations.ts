import type { ServiceErrorData, TranscriptFormat, TranslationOutcome } from '@tds/contracts';
import type { Lease, Sql } from '@tds/service-kit';
import type { Operation, OperationState, Settlement } from '../domain/operation.ts';
import type { Database, Tx } from './database.ts';
import { savedError } from './saved-error.ts';

type Row = {
  id: string;
  account_id: string;
  key_id: string;
  video_id: string;
  language: string;
  fallback: boolean;
  format: string;
  state: string;
  settlement: string;
  charge: number;
  transcript_id: string | null;
  is_fallback: boolean | null;
  translation: string | null;
  error: unknown;
  created_at: Date;
};

const toOperation = (row: Row): Operation => ({
  id: row.id,
  accountId: row.account_id,
  keyId: row.key_id,
  videoId: row.video_id,
  language: row.language,
  fallback: row.fallback,
  format: row.format as TranscriptFormat,
  state: row.state as OperationState,
  settlement: row.settlement as Settlement,
  charge: row.charge,
  transcriptId: row.transcript_id,
  isFallback: row.is_fallback,
  translation: row.translation as TranslationOutcome | null,
  error: row.error === null ? null : savedError(row.error),
  createdAt: row.created_at,
});

type EndedSettlement = {
  readonly lease: Lease;
  readonly operationId: string;
  readonly settlement: Exclude<Settlement, 'pending'>;
};

export type NewOperation = Pick<
  Operation,
  'id' | 'accountId' | 'keyId' | 'videoId' | 'language' | 'fallback' | 'format'
>;

/** Ends one open operation with an error. `settlement` is `released` only where nothing was ever reserved. */
export async function failOperation(
  db: Database | Tx,
  id: string,
  error: ServiceErrorData,
  settlement: 'pending' | 'released',
): Promise<boolean> {
  const failed = await db.$executeRaw`
    UPDATE operations SET state = 'failed', error = ${JSON.stringify(error)}::jsonb, settlement = ${settlement},
      ended_at = now()
    WHERE id = ${id}::uuid AND state IN ('reserving', 'fetching')`;
  return failed === 1;
}

/** Ends every operation that waited for a fetch with its error; answers those whose credit is to be given back. */
export async function failOperations(tx: Tx, fetchId: string, error: ServiceErrorData): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH failed AS (
      UPDATE operations SET state = 'failed', error = ${JSON.stringify(error)}::jsonb, ended_at = now()
      WHERE fetch_id = ${fetchId}::uuid AND state = 'fetching' RETURNING id, settlement
    )
    SELECT id FROM failed WHERE settlement = 'pending'`;
  return rows.map(({ id }) => id);
}

export async function findOperation(db: Database | Tx, id: string): Promise<Operation | null> {
  const row = await db.operation.findUnique({ where: { id } });
  return row ? toOperation(row) : null;
}

const END_SETTLEMENT = {
  name: 'end-settlement',
  text: 'SELECT * FROM end_settlement($1, $2, $3, $4)',
};

/**
 * Ends the task of a settlement that the ledger has confirmed, in one statement. Answers the operation as it
 * now is; null where its credit had been resolved before.
 */
export async function endSettlement(
  sql: Sql,
  { lease, operationId, settlement }: EndedSettlement,
): Promise<Operation | null> {
  const values = [lease.id, lease.epoch, operationId, settlement];
  const [row] = await sql<Row>(END_SETTLEMENT, values);
  return row ? toOperation(row) : null;
}

const CLAIM_REPORT = {
  name: 'claim-charge-report',
  text: 'SELECT claim_charge_report($1, $2) AS "isTold"',
};

/**
 * True for exactly one request of a caller: the one whose answer tells a charged operation's charge in
 * X-Credits-Charged. True for it again, since the gateway asks again for it where an answer is late or lost. Never true
 * for a request that was disowned.
 */
export const claimChargeReport = async (sql: Sql, id: string, requestId: string): Promise<boolean> =>
  (await sql<{ isTold: boolean }>(CLAIM_REPORT, [id, requestId]))[0]?.isTold === true;
