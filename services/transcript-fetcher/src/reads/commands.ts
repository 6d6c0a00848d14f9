import { createDeadline, endsWithin, remainingMs } from '@tds/base';
import { COLD_WAIT_MS, transcriptFetcher, VIDEO_LANGUAGES_PER_DAY } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { countQuestion, questionScopes, settleNow } from '../credits/index.ts';
import { abandonedError, assertPollable } from '../domain/operation.ts';
import { isLost } from '../domain/transcript.ts';
import { findKnownLanguages, inspectLanguages } from '../tracks/index.ts';
import { answerOperation } from './answer-operation.ts';
import type { ReadDeps } from './deps.ts';
import { readTranscript } from './read-transcript.ts';
import { serveCached } from './serve-cached.ts';
import { findOperation, waive } from './store/operations.ts';

/** A cache entry may expire between the two steps; then both are repeated once. */
const MAX_TRIES = 2;

/** The first statement opens a cold read without a query before it. Otherwise the cache answers, or a known fact about the video. */
export const getTranscript = onCommand(
  transcriptFetcher.getTranscript,
  async (deps: ReadDeps, request, context) => {
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const read = request.cacheOnly ? null : await readTranscript(deps, request, context);
      const answer = read ?? (await serveCached(deps, request, context));
      if (answer) return answer;
      if (request.cacheOnly) throw serviceError('transcript_not_ready');
    }
    throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
  },
);

/** Another account's request is answered exactly like one that does not exist. */
export const pollRequest = onCommand(
  transcriptFetcher.pollRequest,
  async (deps: ReadDeps, request, context) => {
    const operation = await findOperation(deps.db, request.requestId);
    if (!operation || operation.accountId !== request.accountId) throw serviceError('request_not_found');
    assertPollable(operation, deps.now());
    const { id } = operation;
    const format = request.format ?? operation.format;
    try {
      return await answerOperation(deps, { ...request, format, id, isNew: false, creditsLeft: null }, context);
    } catch (error) {
      if (!isLost(error)) throw error;
      const { requestId } = context;
      const cached = { ...operation, ...request, keyId: null, format, requestId, cacheOnly: false };
      const answer = await serveCached(deps, cached, context);
      if (answer === null) throw error;
      return answer;
    }
  },
);

const waiveCharge = async (deps: ReadDeps, request: Parameters<typeof waive>[1]) => {
  void settleNow(deps, await waive(deps.sql, request, abandonedError));
  return {};
};

/** A request that was answered with a 5xx costs nothing: voids its charge, or prevents it. */
export const waiveRequest = onCommand(transcriptFetcher.waiveRequest, (deps: ReadDeps, request) =>
  waiveCharge(deps, { ...request, id: request.requestId }),
);

/** A poll is waived like a request for the same track that joined the work. */
export const waivePoll = onCommand(
  transcriptFetcher.waivePoll,
  async (deps: ReadDeps, { polledId, ...poll }) => {
    const operation = await findOperation(deps.db, polledId);
    if (!operation) return {};
    return await waiveCharge(deps, { ...operation, ...poll, id: poll.requestId });
  },
);

/**
 * Returns the languages of a video: as a fetch or a look-up of the last day saw them, else as the platform says them now. Each call counts
 * for the account's day. Throws a known fact about the video, `video_languages_cap`, `free_pool_cap`, and the errors of the platform.
 */
export const listLanguages = onCommand(
  transcriptFetcher.listLanguages,
  async (deps: ReadDeps, { accountId, tier, accountCreatedAt, videoId, cacheOnly }, { signal }) => {
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
  },
);
