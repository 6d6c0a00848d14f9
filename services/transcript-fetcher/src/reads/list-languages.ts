import { createDeadline, endsWithin, remainingMs } from '@tds/base';
import {
  COLD_WAIT_MS,
  DAY_MS,
  ORIGINAL_LANGUAGE,
  type ReplyOf,
  type RequestOf,
  type transcriptFetcher,
  VIDEO_LANGUAGES_PER_DAY,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import { questionScopes, type Scope, scopeRefusal } from '../credits/domain/cold-caps.ts';
import type { Deps } from '../deps.ts';
import { factError } from '../domain/transcript.ts';
import { endOutdatedSelections } from '../fetches/later-captions.ts';
import { factsFrom } from '../tracks/fetch-track.ts';
import { toInspectedVideo } from '../tracks/obtain-track.ts';
import { countQuestion, findLanguages, type KnownLanguages, saveVideo } from '../tracks/store/languages.ts';
import { videoRow } from '../tracks/store/transcripts.ts';

type Languages = ReplyOf<typeof transcriptFetcher.listLanguages>;
type LanguagesDeps = Pick<Deps, 'db' | 'sql' | 'platform' | 'now' | 'limits' | 'laterCaptions'>;

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

/** Saves a refusal like a fetch of captions would; a look-up that ran out of time says nothing about the video. */
const inspect = async (
  { platform, sql, now }: LanguagesDeps,
  videoId: string,
  call: { readonly signal: AbortSignal; readonly callerId: string },
): Promise<VideoInspection> => {
  try {
    // No translation is wanted, so one client with tracks is enough.
    return await platform.inspectVideo(videoId, { language: ORIGINAL_LANGUAGE }, call);
  } catch (error) {
    if (call.signal.aborted) throw serviceError('upstream_error', { cause: error });
    const isOfPlatform = error instanceof PlatformError;
    const { video } = isOfPlatform ? factsFrom(videoId, { error, inspection: null }, now()) : { video: null };
    if (video) await saveVideo(sql, video);
    throw error;
  }
};

const count = async ({ sql, now }: LanguagesDeps, scopes: readonly Scope[]): Promise<void> => {
  const full = await countQuestion(sql, scopes, now());
  if (full !== null) throw scopeRefusal(scopes, full, now());
};

/**
 * Returns the languages of a video: as a fetch or a look-up of the last day saw them, else as the platform says them now. Each call counts
 * for the account's day. Throws a known fact about the video, `video_languages_cap`, `free_pool_cap`, and the errors of the platform.
 */
export const listLanguages = async (
  deps: LanguagesDeps,
  { accountId, tier, accountCreatedAt, videoId, cacheOnly }: RequestOf<typeof transcriptFetcher.listLanguages>,
  { signal }: Pick<Context, 'signal'>,
): Promise<Languages> => {
  const now = deps.now();
  await count(deps, [
    { name: `languages:${accountId}`, limit: VIDEO_LANGUAGES_PER_DAY, refusal: 'video_languages_cap' },
  ]);
  const { fact, languages: stored } = await findLanguages(deps.db, videoId);
  if (fact && (fact.expiresAt === null || fact.expiresAt > now)) throw factError(fact, now);
  const isFresh = stored !== null && now.getTime() - stored.checkedAt.getTime() < TTL_MS;
  if (isFresh) return toReply(videoId, stored);
  if (cacheOnly) throw serviceError('not_cached');
  if (tier === 'free') await count(deps, questionScopes({ accountId, accountCreatedAt }, now, deps.limits));
  using deadline = createDeadline(COLD_WAIT_MS, signal);
  const inspection = await inspect(deps, videoId, { signal: deadline.signal, callerId: accountId });
  const inspectedVideo = toInspectedVideo(inspection);
  const checkedAt = deps.now();
  const row = videoRow(inspectedVideo, { status: 'unknown' }, checkedAt);
  // If nothing else is known, the row is kept until then.
  await saveVideo(deps.sql, { ...row, fact_expires_at: new Date(checkedAt.getTime() + TTL_MS) });
  const languages = await endOutdatedSelections(deps, inspection);
  // Who sees a better track gets it, unless that takes too long.
  const refresh = () => deps.laterCaptions.refresh({ videoIds: [videoId], languages, accountId });
  if (languages.length > 0) await endsWithin(refresh(), remainingMs(deadline.signal));
  return toReply(videoId, { ...inspectedVideo.languages, tracks: inspectedVideo.tracks, checkedAt });
};
