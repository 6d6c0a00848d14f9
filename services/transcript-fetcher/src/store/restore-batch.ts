import type { BatchRow, PayloadOf, transcriptFetcher } from '@tds/contracts';
import type { Sending, Sent, Sql } from '@tds/service-kit';
import { type BatchOperation, batchParameter } from './open-batch.ts';

/** A row whose transcript has lost its cues; its operation is not opened yet. */
export type LostRow = BatchRow & { readonly transcriptId: string };
export type LostBatch = Omit<BatchOperation, 'price'> & { readonly rows: readonly LostRow[] };

/** What brings a row back. */
export type RestoringRow = {
  readonly operationId: string;
  /** The operation that does. */
  readonly id: string | null;
  /** For how long it is not tried again. With neither of the two it has to be looked at again. */
  readonly waitSeconds: number | null;
};

type Row = {
  row_id: string;
  opened_id: string | null;
  wait_seconds: number | null;
  /** Of the whole batch. */
  tasks: number | null;
};

const RESTORE = {
  name: 'restore-batch',
  text: 'SELECT row_id, opened_id, wait_seconds, tasks FROM restore_batch($1)',
};

/**
 * Opens, in one statement, operations that fetch lost transcripts again for nothing; or joins what fetches them. It was paid for, so
 * it counts nowhere.
 */
export async function restoreBatch(
  sql: Sql,
  batch: LostBatch,
  sending: Sending,
): Promise<Sent<RestoringRow[], PayloadOf<typeof transcriptFetcher.fetchTracks>>> {
  const uncounted = { day: null, scopes: [], permits: batch.rows.length };
  const lost = batch.rows.map((row) => ({ ...row, seen: true }));
  const given = batchParameter({ ...batch, rows: lost, price: 0 }, uncounted, sending);
  const rows = await sql<Row>(RESTORE, [given]);
  return {
    result: rows.map(({ row_id, opened_id, wait_seconds }) => ({
      ...{ operationId: row_id, id: opened_id, waitSeconds: wait_seconds },
    })),
    left: rows.find(({ tasks }) => tasks !== null)?.tasks ?? 0,
  };
}

const RESTORABLE = {
  name: 'find-restorable',
  text: `
    SELECT DISTINCT ON (t.id) t.id AS "transcriptId", t.video_id AS "videoId", s.language
    FROM transcripts t
    JOIN selections s ON s.transcript_id = t.id
    LEFT JOIN videos v ON v.id = t.video_id
    WHERE t.id = ANY ($1::uuid[]) AND (v.fact IS NULL OR v.fact_expires_at <= $2)
    ORDER BY t.id, s.is_fallback, s.language`,
};

export type Restorable = Pick<LostRow, 'transcriptId' | 'videoId'> & { readonly language: string };

/**
 * A language that leads to each of these transcripts, by which it can be asked of the platform; none for one that nothing leads to
 * any more, or whose video the platform is known not to have either.
 */
export const findRestorable = (
  sql: Sql,
  transcriptIds: readonly string[],
  now: Date,
): Promise<Restorable[]> => sql<Restorable>(RESTORABLE, [transcriptIds, now]);
