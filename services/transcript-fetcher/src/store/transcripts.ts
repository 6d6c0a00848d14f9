import { type CaptionKind, type VideoDetails, videoDetails } from '@tds/contracts';
import type { CachedSelection } from '../domain/selection.ts';
import type { CachedTranscript, RenderedFile, VideoSnapshot } from '../domain/transcript.ts';
import type { Database, Tx } from './database.ts';

export type TrackIdentity = {
  readonly videoId: string;
  readonly languageCode: string;
  readonly kind: CaptionKind;
  readonly translated: boolean;
};

/** A transcript with what it says of its video, where it does. */
export async function getTranscriptById(
  db: Database | Tx,
  id: string,
): Promise<{ readonly transcript: CachedTranscript; readonly video: VideoDetails | null }> {
  const row = await db.transcript.findUniqueOrThrow({ where: { id } });
  const snapshot = row.video as VideoSnapshot | null;
  const transcript = {
    id: row.id,
    videoId: row.video_id,
    languageCode: row.language_code,
    kind: row.kind as CaptionKind,
    cuesKey: row.object_key,
    cachedAt: row.cached_at,
  };
  return { transcript, video: snapshot && videoDetails.parse({ ...snapshot, id: row.video_id }) };
}

export type SelectionKey = {
  readonly videoId: string;
  readonly language: string;
  readonly transcriptId: string | null;
};

/** A row of `selections`, as `save_selection` takes it. */
export const selectionRow = (key: SelectionKey, selection: CachedSelection): string =>
  JSON.stringify({
    video_id: key.videoId,
    language: key.language,
    transcript_id: key.transcriptId,
    is_fallback: selection.isFallback,
    translation: selection.translation,
    available: selection.available,
    expires_at: selection.expiresAt,
  });

/** Remembers what a requested language leads to. */
export async function saveSelection(tx: Tx, key: SelectionKey, selection: CachedSelection): Promise<void> {
  await tx.$executeRaw`SELECT save_selection(${selectionRow(key, selection)}::jsonb)`;
}

/** A row of `transcripts`. */
export const transcriptRow = (
  track: TrackIdentity &
    Pick<CachedTranscript, 'id' | 'cuesKey' | 'cachedAt'> & {
      readonly cueCount: number;
      readonly video: VideoDetails;
    },
): string =>
  JSON.stringify({
    id: track.id,
    video_id: track.videoId,
    language_code: track.languageCode,
    kind: track.kind,
    translated: track.translated,
    object_key: track.cuesKey,
    cue_count: track.cueCount,
    video: track.video,
    cached_at: track.cachedAt,
  });

type FileKey = { readonly transcriptId: string; readonly format: string };
type KeptFile = RenderedFile & { readonly crc32: number };

/** A row of `rendered_files`. */
export const renderedFileRow = ({ transcriptId, format }: FileKey, file: KeptFile): string =>
  JSON.stringify({
    transcript_id: transcriptId,
    format,
    object_key: file.objectKey,
    bytes: file.bytes,
    sha256: file.sha256,
    crc32: file.crc32,
  });

/** Records a rendered file; rendering is deterministic, so a second writer changes nothing. */
export async function saveRenderedFile(db: Database, key: FileKey, file: KeptFile): Promise<void> {
  const { objectKey: object_key, bytes, sha256, crc32 } = file;
  const { transcriptId: transcript_id, format } = key;
  const data = [{ transcript_id, format, object_key, bytes, sha256, crc32 }];
  await db.renderedFile.createMany({ data, skipDuplicates: true });
}

/** The objects of its rendered files, where its cues lie elsewhere. */
export async function findRenderedKeys(
  db: Database,
  transcriptId: string,
  { unlessCuesKey }: { unlessCuesKey: string },
): Promise<string[]> {
  const rows = await db.renderedFile.findMany({
    where: { transcript: { id: transcriptId, object_key: { not: unlessCuesKey } } },
    select: { object_key: true },
  });
  return rows.map((row) => row.object_key);
}

/** Its cues lie under `cuesKey` from now on; files that were rendered from others are forgotten. */
export async function moveCues(db: Database, transcriptId: string, cuesKey: string): Promise<void> {
  await db.$executeRaw`
    WITH moved AS (
      UPDATE transcripts SET object_key = ${cuesKey} WHERE id = ${transcriptId}::uuid AND object_key <> ${cuesKey}
      RETURNING id
    )
    DELETE FROM rendered_files r USING moved WHERE r.transcript_id = moved.id`;
}
