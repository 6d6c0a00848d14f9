import { type CaptionKind, type VideoDetails, videoDetails } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';
import type { CachedSelection } from '../domain/selection.ts';
import type { CachedTranscript, KeptFile, TrackIdentity, VideoSnapshot } from '../domain/transcript.ts';
import type { Database, Tx } from './database.ts';

/** Says of its video what is `known` now if a release before this one did not keep what was known then. */
export async function getTranscript(
  db: Database | Tx,
  id: string,
  known: VideoDetails,
): Promise<CachedTranscript> {
  const row = await db.transcript.findUniqueOrThrow({ where: { id } });
  const { videoId, languageCode, objectKey, cachedAt, strategy } = row;
  const kind = row.kind as CaptionKind;
  const snapshot = row.video as VideoSnapshot | null;
  const video = snapshot ? videoDetails.parse({ ...snapshot, id: videoId }) : known;
  return { id, videoId, languageCode, kind, cuesKey: objectKey, cachedAt, video, strategy };
}

type SelectionKey = {
  readonly videoId: string;
  readonly language: string;
  readonly transcriptId: string | null;
};

/** A row of `selections`, as `save_selection` takes it. */
export const selectionRow = (key: SelectionKey, selection: CachedSelection) => ({
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
  const row = JSON.stringify(selectionRow(key, selection));
  await tx.$executeRaw`SELECT save_selection(${row}::jsonb)`;
}

/** A row of `transcripts`. */
export const transcriptRow = (track: TrackIdentity & CachedTranscript & { readonly cueCount: number }) => ({
  id: track.id,
  video_id: track.videoId,
  language_code: track.languageCode,
  kind: track.kind,
  translated: track.translated,
  object_key: track.cuesKey,
  cue_count: track.cueCount,
  video: track.video,
  cached_at: track.cachedAt,
  strategy: track.strategy,
});

/** A row of `rendered_files`. */
export const renderedFileRow = (
  transcriptId: string,
  { format, objectKey, bytes, sha256, crc32 }: KeptFile,
) => ({
  transcript_id: transcriptId,
  format,
  object_key: objectKey,
  bytes,
  sha256,
  crc32,
});

/** Records a rendered file; rendering is deterministic, so a second writer changes nothing. */
export async function saveRenderedFile(
  db: Database,
  transcriptId: string,
  { format, objectKey, bytes, sha256, crc32 }: KeptFile,
): Promise<void> {
  const data = [{ transcriptId, format, objectKey, bytes, sha256, crc32 }];
  await db.renderedFile.createMany({ data, skipDuplicates: true });
}

/** The objects of its rendered files, unless its cues lie under the given key. */
export async function findRenderedKeys(
  db: Database,
  transcriptId: string,
  { unlessCuesKey }: { unlessCuesKey: string },
): Promise<string[]> {
  const rows = await db.renderedFile.findMany({
    where: { transcript: { id: transcriptId, objectKey: { not: unlessCuesKey } } },
    select: { objectKey: true },
  });
  return rows.map((row) => row.objectKey);
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

/** As an array in one parameter: Prisma would make a statement for every number of ids. */
const CACHED = {
  name: 'cached-among',
  text: `SELECT id FROM unnest($1::text[]) WITH ORDINALITY AS given (id, turn)
    WHERE EXISTS (SELECT FROM transcripts WHERE video_id = given.id) ORDER BY turn`,
};

/** Those among the ids that have a transcript, in the given order. */
export const cachedAmong = async (sql: Sql, videoIds: readonly string[]): Promise<string[]> =>
  (await sql<{ id: string }>(CACHED, [videoIds])).map(({ id }) => id);
