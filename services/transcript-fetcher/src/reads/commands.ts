import { transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { settleNow } from '../credits/credits.ts';
import type { Deps } from '../deps.ts';
import { abandonedError, assertPollable } from '../domain/operation.ts';
import { answerOperation } from './answer-operation.ts';
import { readTranscript } from './read-transcript.ts';
import { isLost, serveCached } from './serve-cached.ts';
import { findOperation, waive } from './store/operations.ts';

/** A cache entry may expire between the two steps; then both are repeated once. */
const MAX_TRIES = 2;

/** The first statement opens a cold read without a query before it. Otherwise the cache answers, or a known fact about the video. */
export const getTranscript = onCommand(
  transcriptFetcher.getTranscript,
  async (deps: Deps, request, context) => {
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
export const pollRequest = onCommand(transcriptFetcher.pollRequest, async (deps: Deps, request, context) => {
  const operation = await findOperation(deps.db, request.requestId);
  if (!operation || operation.accountId !== request.accountId) throw serviceError('request_not_found');
  assertPollable(operation, deps.now());
  const { id } = operation;
  const { waitMs, format } = request;
  try {
    return await answerOperation(deps, { id, isNew: false, waitMs, format, creditsLeft: null }, context);
  } catch (error) {
    if (!isLost(error)) throw error;
    const { requestId } = context;
    const cachedRequest = {
      ...operation,
      keyId: null,
      format: format ?? operation.format,
      requestId,
      waitMs,
      cacheOnly: false,
    };
    const answer = await serveCached(deps, cachedRequest, context);
    if (answer === null) throw error;
    return answer;
  }
});

const waiveCharge = async (deps: Deps, request: Parameters<typeof waive>[1]) => {
  void settleNow(deps, await waive(deps.sql, request, abandonedError));
  return {};
};

/** A request that was answered with a 5xx costs nothing: voids its charge, or prevents it. */
export const waiveRequest = onCommand(transcriptFetcher.waiveRequest, (deps: Deps, request) =>
  waiveCharge(deps, { ...request, id: request.requestId }),
);

/** A poll is waived like a request for the same track that joined the work. */
export const waivePoll = onCommand(transcriptFetcher.waivePoll, async (deps: Deps, { polledId, ...poll }) => {
  const operation = await findOperation(deps.db, polledId);
  if (!operation) return {};
  return await waiveCharge(deps, { ...operation, ...poll, id: poll.requestId });
});
