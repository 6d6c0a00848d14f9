import { randomUUID } from 'node:crypto';
import { type BatchRow, type PayloadOf, type TranscriptFormat, transcriptFetcher } from '@tds/contracts';
import type { Sending, Sent, Sql } from '@tds/service-kit';

/** What the rows of a batch have in common. */
export type BatchOperation = {
  readonly accountId: string;
  readonly keyId: string | null;
  readonly language: string;
  readonly fallback: boolean;
  readonly format: TranscriptFormat;
  readonly price: number;
};

export type BatchAdmission = {
  /** The UTC day on which they count; null where they count nowhere. */
  readonly day: string | null;
  readonly scopes: readonly { readonly name: string; readonly most: number }[];
  /** How many permits of every shared pool the caller holds. */
  readonly permits: number;
};

/** A row that has neither an operation nor an answer of the cache. */
export type UnknownRow = BatchRow & {
  /** Whether the cache knew anything of its track, though nothing to answer. */
  readonly seen: boolean;
};

/** What became of a row: its operation, its own or the account's open one for the track, or the scope that is full. */
export type OpenedRow = {
  readonly operationId: string;
  /** null if it is refused, or has to be looked at again. */
  readonly openedId: string | null;
  readonly isNew: boolean;
  /** null for `pool`: only permits were missing. */
  readonly refused: { readonly scope: string | null } | null;
};

type Row = {
  row_id: string;
  opened_id: string | null;
  is_new: boolean;
  refused: string | null;
  /** Of the whole batch. */
  tasks: number;
};

/** Few enough that nobody waits long for a task's place, and enough that a task costs a fetch next to nothing. */
const FETCHES_PER_TASK = 32;

const OPEN = {
  name: 'open-batch',
  text: 'SELECT row_id, opened_id, is_new, refused, tasks FROM open_batch($1)',
};

type Opening = BatchOperation & {
  readonly rows: readonly (UnknownRow & { readonly transcriptId?: string })[];
};

/** A batch as `open_batch` takes it. */
export const batchParameter = (
  batch: Opening,
  { day, scopes, permits }: BatchAdmission,
  { headers }: Sending,
): string =>
  JSON.stringify({
    account_id: batch.accountId,
    key_id: batch.keyId,
    language: batch.language,
    fallback: batch.fallback,
    format: batch.format,
    price: batch.price,
    ...{ day, scopes, permits, headers },
    max_in_flight: transcriptFetcher.fetchTracks.maxInFlightPerPartition,
    chunk: FETCHES_PER_TASK,
    rows: batch.rows.map(({ operationId, videoId, seen, transcriptId }, turn) => ({
      ...{
        turn,
        id: operationId,
        video_id: videoId,
        fetch_id: randomUUID(),
        seen,
        transcript_id: transcriptId,
      },
    })),
  });

/** Opens and counts all rows of a batch that nobody has opened, and begins their fetches, in one statement. */
export async function openBatch(
  sql: Sql,
  batch: BatchOperation & { readonly rows: readonly UnknownRow[] },
  admission: BatchAdmission,
  sending: Sending,
): Promise<Sent<OpenedRow[], PayloadOf<typeof transcriptFetcher.fetchTracks>>> {
  const rows = await sql<Row>(OPEN, [batchParameter(batch, admission, sending)]);
  return {
    result: rows.map(({ row_id, opened_id, is_new, refused }) => ({
      operationId: row_id,
      openedId: opened_id,
      isNew: is_new,
      refused: refused === null ? null : { scope: refused === 'pool' ? null : refused },
    })),
    left: rows[0]?.tasks ?? 0,
  };
}
