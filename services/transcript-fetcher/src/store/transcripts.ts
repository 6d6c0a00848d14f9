import { randomUUID } from 'node:crypto';
import type { CaptionKind } from '@tds/contracts';
import type { CachedSelection } from '../domain/selection.ts';
import type { CachedTranscript, RenderedFile } from '../domain/transcript.ts';
import type { Database, Tx } from './database.ts';

export type TrackIdentity = {
  readonly videoId: string;
  readonly languageCode: string;
  readonly kind: CaptionKind;
  readonly translated: boolean;
};

/** A track that is cached already, whoever asked for it. */
export async function findTrack(db: Database | Tx, track: TrackIdentity): Promise<CachedTranscript | null> {
  const row = await db.transcript.findUnique({
    where: {
      video_id_language_code_kind_translated: {
        video_id: track.videoId,
        language_code: track.languageCode,
        kind: track.kind,
        translated: track.translated,
      },
    },
  });
  return row ? { ...track, id: row.id, cuesKey: row.object_key, cachedAt: row.cached_at } : null;
}

export async function getTranscriptById(db: Database | Tx, id: string): Promise<CachedTranscript> {
  const row = await db.transcript.findUniqueOrThrow({ where: { id } });
  return {
    id: row.id,
    videoId: row.video_id,
    languageCode: row.language_code,
    kind: row.kind as CaptionKind,
    cuesKey: row.object_key,
    cachedAt: row.cached_at,
  };
}

/** Saves a track once; a second copy of the same track keeps the first, so its bytes never change. */
export async function saveTrack(
  tx: Tx,
  track: TrackIdentity & { cuesKey: string; cueCount: number; now: Date },
): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cue_count, cached_at)
    VALUES (${randomUUID()}::uuid, ${track.videoId}, ${track.languageCode}, ${track.kind}, ${track.translated},
            ${track.cuesKey}, ${track.cueCount}, ${track.now})
    ON CONFLICT (video_id, language_code, kind, translated) DO UPDATE SET video_id = excluded.video_id
    RETURNING id`;
  if (!row) throw new Error('an upsert answered no row');
  return row.id;
}

/** Remembers what a requested language leads to. */
export async function saveSelection(
  tx: Tx,
  key: { videoId: string; language: string; transcriptId: string | null },
  selection: CachedSelection,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO selections (video_id, language, transcript_id, is_fallback, translation, available, expires_at)
    VALUES (${key.videoId}, ${key.language}, ${key.transcriptId}::uuid, ${selection.isFallback},
            ${selection.translation}, ${[...selection.available]}, ${selection.expiresAt})
    ON CONFLICT (video_id, language) DO UPDATE SET transcript_id = excluded.transcript_id,
      is_fallback = excluded.is_fallback, translation = excluded.translation,
      available = excluded.available, expires_at = excluded.expires_at`;
}

/** Records a rendered file; rendering is deterministic, so a second writer changes nothing. */
export async function saveRenderedFile(
  db: Database,
  key: { transcriptId: string; format: string },
  file: RenderedFile & { crc32: number },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO rendered_files (transcript_id, format, object_key, bytes, sha256, crc32)
    VALUES (${key.transcriptId}::uuid, ${key.format}, ${file.objectKey}, ${file.bytes}, ${file.sha256}, ${file.crc32})
    ON CONFLICT DO NOTHING`;
}
