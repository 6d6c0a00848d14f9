import type { BatchRow, ServiceErrorData, TranscriptFormat, TranslationOutcome } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';
import type { FoundRow } from '../domain/batch-row.ts';
import type { CacheEntry, Hit } from '../domain/cache-entry.ts';
import type { OperationState } from '../domain/operation.ts';
import type { KeptFile } from '../domain/transcript.ts';
import { CACHE_COLUMNS, type CacheRow, toCacheEntry } from './cache.ts';

type Row = CacheRow & {
  operation_id: string;
  video_id: string;
  state: OperationState | null;
  charge: number;
  operation_is_fallback: boolean | null;
  operation_translation: TranslationOutcome | null;
  error: ServiceErrorData | null;
};

const FIND = {
  name: 'find-batch-rows',
  text: 'SELECT *, asked_id AS video_id FROM find_batch_rows($1, $2, $3, $4)',
};

const find = (
  sql: Sql,
  ids: readonly (string | null)[],
  videoIds: readonly string[],
  { language, format }: { readonly language: string; readonly format: TranscriptFormat | null },
): Promise<Row[]> => sql<Row>(FIND, [ids, videoIds, language, format]);

/** What the cache knows of these videos in one language, in one statement; nothing of files. */
export async function findSelections(
  sql: Sql,
  videoIds: readonly string[],
  language: string,
): Promise<CacheEntry[]> {
  const none = videoIds.map(() => null);
  const found = await find(sql, none, videoIds, { language, format: null });
  return found.map((row) => toCacheEntry(row.video_id, row));
}

/** All rows of a batch, in one statement. */
export async function findBatchRows(
  sql: Sql,
  rows: readonly BatchRow[],
  wanted: { readonly language: string; readonly format: TranscriptFormat },
): Promise<FoundRow[]> {
  const ids = rows.map(({ operationId }) => operationId);
  const videoIds = rows.map(({ videoId }) => videoId);
  const found = await find(sql, ids, videoIds, wanted);
  return found.map((row) => ({
    operationId: row.operation_id,
    videoId: row.video_id,
    operation: row.state && {
      state: row.state,
      charge: row.charge,
      isFallback: row.operation_is_fallback,
      translation: row.operation_translation,
      error: row.error,
    },
    entry: toCacheEntry(row.video_id, row),
  }));
}

const FIND_RENDERED = {
  name: 'find-rendered',
  text: `
    SELECT t.video_id, ${CACHE_COLUMNS}, r.crc32
    FROM transcripts t
    LEFT JOIN videos v ON v.id = t.video_id
    LEFT JOIN selections s ON false
    LEFT JOIN rendered_files r ON r.transcript_id = t.id AND r.format = $2
    WHERE t.id = ANY ($1::uuid[])`,
};

export type RenderedTranscript = Pick<Hit, 'transcript'> & { readonly rendered: KeptFile | null };

/** Cached transcripts, each with its file in one format if anybody has rendered that. */
export async function findRendered(
  sql: Sql,
  transcriptIds: readonly string[],
  format: TranscriptFormat,
): Promise<RenderedTranscript[]> {
  const rows = await sql<Row & { crc32: string | null }>(FIND_RENDERED, [transcriptIds, format]);
  return rows.flatMap(({ crc32, ...row }) => {
    const { transcript, rendered } = toCacheEntry(row.video_id, row);
    return transcript
      ? [{ transcript, rendered: rendered && { ...rendered, format, crc32: Number(crc32) } }]
      : [];
  });
}
