import type { ServiceErrorData, TranscriptFormat, TranslationOutcome } from '@tds/contracts';
import type { Operation, OperationState, Settlement } from '../domain/operation.ts';
import type { Database, Tx } from './database.ts';

type Row = {
  id: string;
  account_id: string;
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
  error: row.error as ServiceErrorData | null,
  createdAt: row.created_at,
});

export type NewOperation = Pick<
  Operation,
  'id' | 'accountId' | 'videoId' | 'language' | 'fallback' | 'format'
> & { readonly keyId: string };

/** Attaches an operation to its fetch; false where the sweeper has ended it meanwhile. */
export async function attachToFetch(tx: Tx, id: string, fetchId: string): Promise<boolean> {
  const attached = await tx.$executeRaw`
    UPDATE operations SET state = 'fetching', fetch_id = ${fetchId}::uuid
    WHERE id = ${id}::uuid AND state = 'reserving'`;
  return attached === 1;
}

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

export type Delivery = {
  readonly transcriptId: string;
  readonly charge: 0 | 1;
  readonly isFallback: boolean;
  readonly translation: TranslationOutcome;
};

/** Ends every operation that waited for a fetch with its transcript; answers their ids. */
export async function deliverOperations(tx: Tx, fetchId: string, delivery: Delivery): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE operations SET state = 'delivered', transcript_id = ${delivery.transcriptId}::uuid,
      charge = ${delivery.charge}, is_fallback = ${delivery.isFallback}, translation = ${delivery.translation},
      ended_at = now()
    WHERE fetch_id = ${fetchId}::uuid AND state = 'fetching' RETURNING id`;
  return rows.map(({ id }) => id);
}

/** Ends every operation that waited for a fetch with its error; answers their ids. */
export async function failOperations(tx: Tx, fetchId: string, error: ServiceErrorData): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE operations SET state = 'failed', error = ${JSON.stringify(error)}::jsonb, ended_at = now()
    WHERE fetch_id = ${fetchId}::uuid AND state = 'fetching' RETURNING id`;
  return rows.map(({ id }) => id);
}

export async function findOperation(db: Database | Tx, id: string): Promise<Operation | null> {
  const row = await db.operation.findUnique({ where: { id } });
  return row ? toOperation(row) : null;
}

export async function markSettled(tx: Tx, id: string, settlement: 'settled' | 'released'): Promise<void> {
  await tx.$executeRaw`
    UPDATE operations SET settlement = ${settlement} WHERE id = ${id}::uuid AND settlement = 'pending'`;
}

/** True for exactly one answer of a charged operation: the one that tells its charge in X-Credits-Charged. */
export async function claimChargeReport(db: Database, id: string): Promise<boolean> {
  const claimed = await db.$executeRaw`
    UPDATE operations SET charge_reported = true WHERE id = ${id}::uuid AND NOT charge_reported AND charge > 0`;
  return claimed === 1;
}
