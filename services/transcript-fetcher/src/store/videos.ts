import type { CaptionTrack, VideoDetails } from '@tds/contracts';
import type { NegativeFact } from '../domain/selection.ts';
import type { VideoFacts, VideoStatus } from '../domain/video-facts.ts';
import type { Database, Tx } from './database.ts';

const known = (video: VideoDetails) => ({
  title: video.title,
  channel_id: video.channel_id,
  channel_title: video.channel_title,
  published_at: video.published_at,
  duration: video.duration,
});

/** What a fetch learnt and still knew before stays: a null never replaces a value. */
const learnt = (video: VideoDetails) =>
  Object.fromEntries(Object.entries(known(video)).filter(([, value]) => value !== null));

/** A delivery: whatever was held against the video before is void. */
export async function saveFetchedVideo(
  tx: Tx,
  video: VideoDetails,
  facts: { tracks: readonly CaptionTrack[]; selected: { languageCode: string; kind: string }; now: Date },
): Promise<void> {
  const row = {
    status: 'fetched',
    error_class: null,
    caption_tracks: facts.tracks.map((track) => ({ ...track })),
    selected_language: facts.selected.languageCode,
    selected_kind: facts.selected.kind,
    fetched_at: facts.now,
  };
  await tx.$executeRaw`UPDATE videos SET fact = NULL, fact_expires_at = NULL WHERE id = ${video.id}`;
  await tx.video.upsert({
    where: { id: video.id },
    create: { id: video.id, ...known(video), ...row },
    update: { ...learnt(video), ...row },
  });
}

/** A failed attempt. Status `error` never hides an earlier delivery; a fact about the video does. */
export async function saveFailedVideo(
  tx: Tx,
  video: VideoDetails,
  failure: { status: VideoStatus; errorClass: string; fact: NegativeFact | null; tracks: readonly CaptionTrack[] },
): Promise<void> {
  const tracks = failure.tracks.map((track) => ({ ...track }));
  const held = failure.fact
    ? { fact: { ...failure.fact.error }, fact_expires_at: failure.fact.expiresAt }
    : {};
  const row = { status: failure.status, error_class: failure.errorClass, ...held };
  const before = await tx.video.findUnique({ where: { id: video.id }, select: { status: true } });
  const hides = before?.status !== 'fetched' || failure.fact !== null;
  await tx.video.upsert({
    where: { id: video.id },
    create: { id: video.id, ...known(video), ...row, caption_tracks: tracks },
    update: { ...learnt(video), ...(hides ? row : {}), ...(tracks.length > 0 ? { caption_tracks: tracks } : {}) },
  });
}

export async function findVideoFacts(db: Database, id: string): Promise<VideoFacts | null> {
  const [video, transcripts] = await Promise.all([
    db.video.findUnique({ where: { id } }),
    db.transcript.findMany({ where: { video_id: id }, orderBy: [{ language_code: 'asc' }, { kind: 'asc' }] }),
  ]);
  if (!video) return null;
  return {
    video: { id, ...known({ id, ...video }) },
    status: video.status as VideoStatus,
    errorClass: video.error_class,
    fetchedAt: video.fetched_at,
    cached: transcripts.map(({ language_code, kind, cached_at }) => ({ language_code, kind, cachedAt: cached_at })),
    tracks: video.caption_tracks as CaptionTrack[],
    selected:
      video.selected_language && video.selected_kind
        ? { language_code: video.selected_language, kind: video.selected_kind }
        : null,
  };
}
