import { DAY_MS, ORIGINAL_LANGUAGE, type ReplyOf, type transcriptFetcher } from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import { type Call, PlatformError, type VideoInspection } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { factError } from '../domain/transcript.ts';
import { endOutdatedSelections } from './better-tracks.ts';
import { factsFrom } from './fetch-track.ts';
import { toInspectedVideo } from './obtain-track.ts';
import { videoRow } from './store/transcripts.ts';
import { findLanguages, type KnownLanguages, saveVideo } from './store/videos.ts';

type Languages = ReplyOf<typeof transcriptFetcher.listLanguages>;
/** Owners add captions at any time. */
const TTL_MS = DAY_MS;

const toReply = (
  videoId: string,
  { tracks, original, isTranslatable, checkedAt }: KnownLanguages,
): Languages => ({
  video_id: videoId,
  original_language: original,
  tracks: [...tracks],
  translatable: isTranslatable,
  checked_at: checkedAt.toISOString(),
});

/** The languages of a video as a fetch or a look-up of the last day saw them; null if there was none. Throws a known fact about the video. */
export const findKnownLanguages = async ({ db, now }: Deps, videoId: string): Promise<Languages | null> => {
  const at = now();
  const { fact, languages } = await findLanguages(db, videoId);
  if (fact && (fact.expiresAt === null || fact.expiresAt > at)) throw factError(fact, at);
  const isFresh = languages !== null && at.getTime() - languages.checkedAt.getTime() < TTL_MS;
  return isFresh ? toReply(videoId, languages) : null;
};

/** Saves a refusal like a fetch of captions would; a look-up that ran out of time says nothing about the video. */
const inspect = async ({ platform, sql, now }: Deps, videoId: string, call: Call): Promise<VideoInspection> => {
  try {
    // No translation is wanted, so one client with tracks is enough.
    return await platform.inspectVideo(videoId, { language: ORIGINAL_LANGUAGE }, call);
  } catch (error) {
    if (call.signal?.aborted) throw serviceError('upstream_error', { cause: error });
    const isOfPlatform = error instanceof PlatformError;
    const { video } = isOfPlatform ? factsFrom(videoId, { error, inspection: null }, now()) : { video: null };
    if (video) await saveVideo(sql, video);
    throw video?.fact ? new ServiceError(video.fact, error) : error;
  }
};

/** The languages as the platform says them now; `outdated` are those for which it has a better track than the kept one. */
export const inspectLanguages = async (
  deps: Deps,
  videoId: string,
  call: Call,
): Promise<{ readonly languages: Languages; readonly outdated: readonly string[] }> => {
  const inspection = await inspect(deps, videoId, call);
  const inspectedVideo = toInspectedVideo(inspection);
  const checkedAt = deps.now();
  const row = videoRow(inspectedVideo, { status: 'unknown' }, checkedAt);
  // If nothing else is known, the row is kept until then.
  await saveVideo(deps.sql, { ...row, fact_expires_at: new Date(checkedAt.getTime() + TTL_MS) });
  return {
    languages: toReply(videoId, { ...inspectedVideo.languages, tracks: inspectedVideo.tracks, checkedAt }),
    outdated: await endOutdatedSelections(deps, inspection),
  };
};
