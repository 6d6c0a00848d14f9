import { pick, type Sql } from '@tds/base';
import type { BatchRow, CaptionTrack, VideoDetails } from '@tds/contracts';
import type {
  CachedSelection,
  CachedTranscript,
  KeptFile,
  NegativeFact,
  TrackIdentity,
} from '../../domain/transcript.ts';
import type { Database } from '../../store/database.ts';
import type { TextMeasures } from '../domain/text-measures.ts';
import type { VideoStatus } from '../domain/video-facts.ts';

/** The platform's answer about a video; `languages` is null if it refused the captions. */
type InspectedVideo = {
  readonly video: VideoDetails;
  readonly tracks: readonly CaptionTrack[];
  readonly languages: { readonly original: string | null; readonly isTranslatable: boolean } | null;
};

/** How an attempt at the video ended. */
type VideoFindings = {
  readonly status: VideoStatus;
  readonly errorClass?: string;
  readonly fact?: NegativeFact | null;
  readonly selected?: Pick<TrackIdentity, 'languageCode' | 'kind'>;
  readonly fetchedAt?: Date;
};

/** A row of `videos` after an answer of the platform. Without a fact, it clears earlier ones against the video. */
export const videoRow = (
  { video, tracks, languages }: InspectedVideo,
  { status, errorClass, fact, selected, fetchedAt }: VideoFindings,
  askedAt: Date,
) => ({
  ...video,
  status,
  error_class: errorClass ?? null,
  fact: fact?.error ?? null,
  fact_expires_at: fact?.expiresAt ?? null,
  fact_retry_at: fact?.retryAt ?? null,
  caption_tracks: tracks,
  original_language: languages?.original ?? null,
  translatable: languages?.isTranslatable ?? null,
  tracks_at: languages && askedAt,
  selected_language: selected?.languageCode ?? null,
  selected_kind: selected?.kind ?? null,
  fetched_at: fetchedAt ?? null,
});

export type VideoRow = ReturnType<typeof videoRow>;

type SelectionKey = {
  readonly videoId: string;
  readonly language: string;
  readonly transcriptId: string | null;
};

/** A row of `selections`. */
export const selectionRow = (key: SelectionKey, selection: CachedSelection) => ({
  video_id: key.videoId,
  language: key.language,
  transcript_id: key.transcriptId,
  is_fallback: selection.isFallback,
  translation: selection.translation,
  available: selection.available,
  expires_at: selection.expiresAt,
});

/** A row of `transcripts`. */
export const transcriptRow = (
  track: TrackIdentity & CachedTranscript & { readonly measures: TextMeasures },
) => ({
  ...pick(track, 'id', 'kind', 'translated', 'video', 'strategy'),
  video_id: track.videoId,
  language_code: track.languageCode,
  object_key: track.cuesKey,
  ...track.measures,
  cached_at: track.cachedAt,
});

/** A row of `rendered_files`. */
export const renderedFileRow = (transcriptId: string, { objectKey, ...file }: KeptFile) => ({
  ...{ transcript_id: transcriptId, object_key: objectKey },
  ...file,
});

/** Saves a rendered file, unless there is one of that format. Returns the key of the file that is kept. */
export async function saveRenderedFile(db: Database, transcriptId: string, file: KeptFile): Promise<string> {
  const { format, objectKey } = file;
  const data = [{ transcriptId, ...file }];
  const { count } = await db.renderedFile.createMany({ data, skipDuplicates: true });
  if (count > 0) return objectKey;
  const existingFile = await db.renderedFile.findUnique({
    where: { transcriptId_format: { transcriptId, format } },
    select: { objectKey: true },
  });
  return existingFile?.objectKey ?? objectKey;
}

/** The object keys of its rendered files, unless its cues have this key. */
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

/** Changes the key of the cues, and deletes the rows of files and passages that were made from other cues. */
export async function moveCues(db: Database, transcriptId: string, cuesKey: string): Promise<void> {
  await db.$executeRaw`
    WITH moved AS (
      UPDATE transcripts SET object_key = ${cuesKey} WHERE id = ${transcriptId}::uuid AND object_key <> ${cuesKey}
      RETURNING id
    ), unsplit AS (
      DELETE FROM passages AS p USING moved WHERE p.transcript_id = moved.id
    ), unindexed AS (
      UPDATE library_entries AS e SET words = NULL FROM moved WHERE e.transcript_id = moved.id RETURNING e.transcript_id AS id
    ), waiting AS (
      INSERT INTO unindexed_transcripts AS u (id) SELECT DISTINCT id FROM unindexed
      ON CONFLICT (id) DO UPDATE SET due_at = now(), lease_until = NULL, lease_epoch = u.lease_epoch + 1, tries = 0
    )
    DELETE FROM rendered_files r USING moved WHERE r.transcript_id = moved.id`;
}

/** One array parameter: Prisma would prepare a statement per number of ids. */
const CACHED = `SELECT id, published_at, original_language FROM unnest($1::bpchar[]) WITH ORDINALITY AS given (id, turn)
  LEFT JOIN LATERAL (SELECT v.published_at, v.original_language FROM videos AS v WHERE v.id = given.id OFFSET 0) AS known ON true
  WHERE EXISTS (SELECT FROM transcripts WHERE video_id = given.id OFFSET 0) ORDER BY turn`;

type CachedVideo = { readonly id: string } & Record<'published_at' | 'original_language', string | null>;

/** The ids that have a transcript, in their order. */
export const listCachedVideos = (sql: Sql, videoIds: readonly string[]): Promise<CachedVideo[]> =>
  sql<CachedVideo>(CACHED, [videoIds]);

const SAVE_DATES = `INSERT INTO videos AS v (id, published_at) SELECT id, day FROM unnest($1::bpchar[], $2::text[]) AS given (id, day) ORDER BY id
  ON CONFLICT (id) DO UPDATE SET published_at = excluded.published_at WHERE v.published_at IS NULL`;

/** Saves publish dates of videos that have none. */
export const saveDates = async (
  sql: Sql,
  rows: readonly Pick<BatchRow, 'videoId' | 'publishedAt'>[],
): Promise<void> => {
  const dates = new Map(
    rows.flatMap(({ videoId, publishedAt: day }) => (day ? [[videoId, day] as const] : [])),
  );
  if (dates.size > 0) await sql(SAVE_DATES, [[...dates.keys()], [...dates.values()]]);
};
