import type { ServiceErrorData } from '@tds/errors';
import type { NewObject } from '@tds/objects';
import type {
  CachedSelection,
  CachedTranscript,
  Choice,
  KeptFile,
  TrackIdentity,
} from '../domain/transcript.ts';
import type { TextMeasures } from './domain/text-measures.ts';
import type { RenderedBody } from './make-track.ts';
import { renderedFileRow, selectionRow, transcriptRow, type VideoRow } from './store/transcripts.ts';

/** The end of a fetch, and its findings. */
type FetchEnd = {
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
};

/** The result of a fetch: its end, the objects to store before it, and the file that its read waits for. */
export type FetchResult = {
  readonly end: FetchEnd;
  readonly objects: readonly NewObject[];
  readonly rendered: RenderedBody | null;
};

/** An end as `end_rows` takes it. */
export const toEndRow = ({ fetchId, choice, track, file, ...end }: FetchEnd) => ({
  fetch_id: fetchId,
  transcript: track && transcriptRow(track),
  file: track && file && renderedFileRow(track.id, file),
  cached_id: end.cachedId,
  is_fallback: choice?.isFallback ?? null,
  translation: choice?.translation ?? null,
  selection: end.selection && selectionRow({ ...end, transcriptId: null }, end.selection),
  video: end.video,
  error: end.error,
});
