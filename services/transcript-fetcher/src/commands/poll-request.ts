import { type pollRequest, type RequestOf, serviceError, type TranscriptAnswer } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { assertPollable } from '../domain/operation.ts';
import { answerOperation } from '../serving/answer-operation.ts';
import { findOperation } from '../store/operations.ts';

/** Another account's request is answered exactly like one that does not exist. */
export const pollRequestHandler =
  (deps: Deps) =>
  async (request: RequestOf<typeof pollRequest>, context: Context): Promise<TranscriptAnswer> => {
    const operation = await findOperation(deps.db, request.requestId);
    if (!operation || operation.accountId !== request.accountId) throw serviceError('request_not_found');
    assertPollable(operation, deps.clock());
    return await answerOperation(
      deps,
      { id: operation.id, waitMs: request.waitMs, format: request.format },
      context,
    );
  };
