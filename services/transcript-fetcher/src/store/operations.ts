import { languageCodes, type ServiceErrorData, type TranscriptFormat } from '@tds/contracts';
import type { Lease, Sql } from '@tds/service-kit';
import type { Operation, OperationState, Settlement } from '../domain/operation.ts';
import type { Database, Tx } from './database.ts';

/** As the table has it: its columns hold any text. */
type Row = Omit<Operation, 'format' | 'state' | 'settlement' | 'translation' | 'error'> & {
  format: string;
  state: string;
  settlement: string;
  translation: string | null;
  error: unknown;
};

const toOperation = (row: Row): Operation => ({
  id: row.id,
  accountId: row.accountId,
  keyId: row.keyId,
  videoId: row.videoId,
  language: row.language,
  fallback: row.fallback,
  format: row.format as TranscriptFormat,
  state: row.state as OperationState,
  settlement: row.settlement as Settlement,
  price: row.price,
  charge: row.charge,
  transcriptId: row.transcriptId,
  isFallback: row.isFallback,
  translation: row.translation as Operation['translation'],
  error: row.error === null ? null : savedError(row.error),
  createdAt: row.createdAt,
});

/** A release before this one may have saved a longer list than an answer holds. */
const savedError = (json: unknown): ServiceErrorData => {
  const error = json as ServiceErrorData;
  const available = error.extras?.available_languages;
  if (available === undefined) return error;
  return { ...error, extras: { ...error.extras, available_languages: languageCodes.parse(available) } };
};

export async function findOperation(db: Database | Tx, id: string): Promise<Operation | null> {
  const row = await db.operation.findUnique({ where: { id } });
  return row ? toOperation(row) : null;
}

/** Ends one open operation with an error. `settlement` is `released` only if nothing was ever reserved. */
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

/** Operations that have failed together. */
export type FailedOperations = {
  /** Their credit is to be given back first. */
  readonly toSettle: readonly string[];
  /** They hold none. */
  readonly answerable: readonly string[];
};

/** Ends every operation that waited for a fetch with its error. */
export async function failOperations(
  tx: Tx,
  fetchId: string,
  error: ServiceErrorData,
): Promise<FailedOperations> {
  const rows = await tx.$queryRaw<{ id: string; settlement: string }[]>`
    UPDATE operations SET state = 'failed', error = ${JSON.stringify(error)}::jsonb, ended_at = now()
    WHERE fetch_id = ${fetchId}::uuid AND state = 'fetching' RETURNING id, settlement`;
  const { toSettle = [], answerable = [] } = Object.groupBy(rows, ({ settlement }) =>
    settlement === 'pending' ? 'toSettle' : 'answerable',
  );
  return { toSettle: toSettle.map(({ id }) => id), answerable: answerable.map(({ id }) => id) };
}

const END_SETTLEMENT = {
  name: 'end-settlement',
  text: `
    SELECT id, account_id AS "accountId", key_id AS "keyId", video_id AS "videoId", language, fallback, format, state,
      settlement, price, charge, transcript_id AS "transcriptId", is_fallback AS "isFallback", translation, error,
      created_at AS "createdAt"
    FROM end_settlement($1, $2, $3, $4)`,
};

type EndedSettlement = {
  readonly lease: Lease;
  readonly operationId: string;
  readonly settlement: Exclude<Settlement, 'pending'>;
};

/**
 * Ends the task of a settlement that the ledger has confirmed, in one statement. Answers the operation as it now is, or null
 * if its credit had been resolved before.
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
  text: 'SELECT claim_charge_report($1, $2) AS "isReported"',
};

/**
 * True for exactly one request of a caller: the one whose answer reports an operation's charge in X-Credits-Charged. True
 * for it again, because the gateway asks again if an answer is late or lost. Never true for a request that was disowned.
 */
export const claimChargeReport = async (sql: Sql, id: string, requestId: string): Promise<boolean> =>
  (await sql<{ isReported: boolean }>(CLAIM_REPORT, [id, requestId]))[0]?.isReported === true;
