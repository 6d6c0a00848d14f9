import type { Sql } from '@tds/base';
import type { StoredFormat } from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { SettlementItem } from '../../credits/store/settlements.ts';
import type { Priority } from '../../domain/operation.ts';
import type {
  CachedSelection,
  CachedTranscript,
  Choice,
  KeptFile,
  TrackIdentity,
} from '../../domain/transcript.ts';
import type { TextMeasures } from '../../tracks/domain/text-measures.ts';
import { renderedFileRow, selectionRow, transcriptRow, type VideoRow } from '../../tracks/store/transcripts.ts';

/** The end of a fetch, and what it learnt. */
export type End = {
  readonly fetchId: string;
  readonly videoId: string;
  readonly language: string;
  /** The fetched track; alternatively `cachedId` of a track that was cached already, or `error`. */
  readonly track: (TrackIdentity & CachedTranscript & { readonly measures: TextMeasures }) | null;
  readonly file: KeptFile | null;
  readonly cachedId: string | null;
  readonly error: ServiceErrorData | null;
  readonly choice: Choice | null;
  readonly selection: CachedSelection | null;
  readonly video: VideoRow | null;
  /** The read whose own request waits here and reports the charge. */
  readonly reportTo: string | null;
};

/** A row that ended with the fetch. */
export type EndedRow = {
  readonly id: string;
  readonly priority: Priority;
  readonly batch_id: string | null;
  readonly format: StoredFormat;
  readonly charge: number;
  /** Null if it failed. */
  readonly transcript_id: string | null;
  readonly version: number;
  /** True if the row got `track` and `file`; false if the same track had been saved before. */
  readonly is_first: boolean | null;
  /** True if its batch has no open row any more; null for a read. */
  readonly is_over: boolean | null;
  /** True if the request of `reportTo` reports the charge. */
  readonly is_reported: boolean;
};

const END = { name: 'end-rows', text: 'SELECT ended, settlement FROM end_rows($1, $2)' };

const toRow = ({ fetchId, choice, track, file, ...end }: End, index: number) => ({
  n: index + 1,
  fetch_id: fetchId,
  transcript: track && transcriptRow(track),
  file: track && file && renderedFileRow(track.id, file),
  cached_id: end.cachedId,
  is_fallback: choice?.isFallback ?? null,
  translation: choice?.translation ?? null,
  selection: end.selection && selectionRow({ ...end, transcriptId: null }, end.selection),
  video: end.video,
  error: end.error,
  reported_to: end.reportTo,
});

/** Saves the ends of fetches and of all rows that wait for them, with the settlement for the ledger, in one statement. */
export async function endRows(
  sql: Sql,
  ends: readonly End[],
  settlementId: string,
): Promise<{ readonly ended: readonly EndedRow[]; readonly settlement: readonly SettlementItem[] | null }> {
  const [row] = await sql<{ ended: EndedRow[]; settlement: SettlementItem[] | null }>(END, [
    JSON.stringify(ends.map(toRow)),
    settlementId,
  ]);
  if (!row) throw new Error('end_rows returned no row');
  return row;
}
