import type { ServiceErrorData, TranscriptFormat } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';
import type { Lane } from '../domain/operation.ts';
import type {
  CachedSelection,
  CachedTranscript,
  Choice,
  KeptFile,
  TrackIdentity,
} from '../domain/transcript.ts';
import type { DueRound } from './dues.ts';
import { renderedFileRow, selectionRow, transcriptRow, type VideoRow } from './transcripts.ts';

/** What a fetch has come to, and what was learnt by it. */
export type End = {
  readonly fetchId: string;
  readonly videoId: string;
  readonly language: string;
  /** The track that was fetched and its first rendered file; or the id of one that was cached already; or why there is none. */
  readonly brought: (TrackIdentity & CachedTranscript & { readonly cueCount: number }) | null;
  readonly file: KeptFile | null;
  readonly cachedId: string | null;
  readonly error: ServiceErrorData | null;
  readonly choice: Choice | null;
  readonly selection: CachedSelection | null;
  readonly video: VideoRow | null;
  /** The read whose own request waits here and is told its charge. */
  readonly toldTo: string | null;
};

/** A row that has ended by it. */
export type EndedRow = {
  readonly id: string;
  readonly lane: Lane;
  readonly line_id: string | null;
  readonly format: TranscriptFormat;
  readonly charge: number;
  /** Null if it has failed. */
  readonly transcript_id: string | null;
  readonly version: number;
  /** Whether `brought` and `file` are what it got; otherwise the same track had been saved before. */
  readonly is_first: boolean | null;
  /** Whether it was the last open row of its line; two that end at once may both be none. Null of a read. */
  readonly is_over: boolean | null;
  /** Whether the charge was told to `toldTo`. */
  readonly told: boolean;
};

const END = { name: 'end-rows', text: 'SELECT ended, due FROM end_rows($1, $2)' };

const toRow = ({ fetchId, choice, brought, file, ...end }: End, index: number) => ({
  n: index + 1,
  fetch_id: fetchId,
  transcript: brought && transcriptRow(brought),
  file: brought && file && renderedFileRow(brought.id, file),
  cached_id: end.cachedId,
  is_fallback: choice?.isFallback ?? null,
  translation: choice?.translation ?? null,
  selection: end.selection && selectionRow({ ...end, transcriptId: null }, end.selection),
  video: end.video,
  error: end.error,
  told_to: end.toldTo,
});

/** Saves what fetches have come to and the end of every row that waits for them, in one statement; with what the ledger is to be told. */
export async function endRows(
  sql: Sql,
  ends: readonly End[],
  dueId: string,
): Promise<{ readonly ended: readonly EndedRow[]; readonly due: readonly DueRound[] | null }> {
  const [row] = await sql<{ ended: EndedRow[]; due: DueRound[] | null }>(END, [
    JSON.stringify(ends.map(toRow)),
    dueId,
  ]);
  if (!row) throw new Error('the end of fetches answered no row');
  return row;
}
