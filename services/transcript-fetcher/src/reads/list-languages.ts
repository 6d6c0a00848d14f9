import { createDeadline, endsWithin, remainingMs } from '@tds/base';
import {
  COLD_WAIT_MS,
  type ReplyOf,
  type RequestOf,
  type transcriptFetcher,
  VIDEO_LANGUAGES_PER_DAY,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import { countQuestion, questionScopes } from '../credits/index.ts';
import { findKnownLanguages, inspectLanguages } from '../tracks/index.ts';
import type { ReadDeps } from './deps.ts';

/**
 * Returns the languages of a video: as a fetch or a look-up of the last day saw them, else as the platform says them now. Each call counts
 * for the account's day. Throws a known fact about the video, `video_languages_cap`, `free_pool_cap`, and the errors of the platform.
 */
export const listLanguages = async (
  deps: ReadDeps,
  { accountId, tier, accountCreatedAt, videoId, cacheOnly }: RequestOf<typeof transcriptFetcher.listLanguages>,
  { signal }: Pick<Context, 'signal'>,
): Promise<ReplyOf<typeof transcriptFetcher.listLanguages>> => {
  const now = deps.now();
  const daily = { limit: VIDEO_LANGUAGES_PER_DAY, refusal: 'video_languages_cap' as const };
  await countQuestion(deps.sql, [{ name: `languages:${accountId}`, ...daily }], now);
  const known = await findKnownLanguages(deps, videoId);
  if (known) return known;
  if (cacheOnly) throw serviceError('not_cached');
  const scopes = questionScopes({ accountId, accountCreatedAt }, now, deps.limits);
  if (tier === 'free') await countQuestion(deps.sql, scopes, deps.now());
  using deadline = createDeadline(COLD_WAIT_MS, signal);
  const call = { signal: deadline.signal, callerId: accountId };
  const { languages, outdated } = await inspectLanguages(deps, videoId, call);
  // Who sees a better track gets it, unless that takes too long.
  const refresh = () => deps.laterCaptions.refresh({ videoIds: [videoId], languages: outdated, accountId });
  if (outdated.length > 0) await endsWithin(refresh(), remainingMs(deadline.signal));
  return languages;
};
