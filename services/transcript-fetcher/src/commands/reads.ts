import { serviceError, transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { answerOperation } from '../application/answer-operation.ts';
import { tellSoon } from '../application/credits.ts';
import { isLost, readTranscript, serveCached } from '../application/read-transcript.ts';
import type { Deps } from '../deps.ts';
import { abandonedError, assertPollable } from '../domain/operation.ts';
import { disown, findOperation } from '../store/operations.ts';

/** What is remembered may lapse between two looks; then it is looked at once more. */
const LOOKS = 2;

/**
 * What is cold is opened by the first statement, without a look before. All else is answered from the cache, a standing fact about
 * the video included.
 */
export const getTranscript = onCommand(
  transcriptFetcher.getTranscript,
  async (deps: Deps, request, context) => {
    for (let look = 0; look < LOOKS; look += 1) {
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
    const asked = {
      ...operation,
      keyId: null,
      format: format ?? operation.format,
      requestId,
      waitMs,
      cacheOnly: false,
    };
    const answer = await serveCached(deps, asked, context);
    if (answer === null) throw error;
    return answer;
  }
});

/** What was answered with a 5xx costs nothing: voids the request's charge, or keeps there from ever being one. */
export const disownRequest = onCommand(transcriptFetcher.disownRequest, async (deps: Deps, request) => {
  const due = await disown(deps.sql, { ...request, id: request.requestId }, abandonedError);
  void tellSoon(deps, due);
  return {};
});
