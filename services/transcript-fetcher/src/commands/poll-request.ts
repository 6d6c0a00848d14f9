import { serviceError, transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { answerOperation } from '../application/answer-operation.ts';
import { isLost, serveCached } from '../application/serve-cached.ts';
import type { Deps } from '../deps.ts';
import { assertPollable } from '../domain/operation.ts';
import { findOperation } from '../store/operations.ts';

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
