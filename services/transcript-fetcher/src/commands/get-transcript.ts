import { serviceError, type TranscriptAnswer, transcriptFetcher } from '@tds/contracts';
import { type Context, onCommand } from '@tds/service-kit';
import {
  type AdmittedCold,
  admitCold,
  admitUnlessKnown,
  type ColdRequest,
} from '../application/admit-cold.ts';
import { answerOperation } from '../application/answer-operation.ts';
import { serveCached } from '../application/serve-cached.ts';
import { startColdWork } from '../application/start-cold-work.ts';
import type { Deps } from '../deps.ts';

/**
 * What nothing is known of is fetched at once, without a look into the cache. All else is answered from the cache, a standing
 * fact about the video included, and fetched if the cache turns out to have no answer.
 */
export const getTranscript = onCommand(
  transcriptFetcher.getTranscript,
  async (deps: Deps, request, context) => {
    const unknown = request.cacheOnly ? null : await admitUnlessKnown(deps, request);
    if (unknown) return await fetchAndAnswer(deps, unknown, request, context);
    const cached = await serveCached(deps, request, context);
    if (cached) return cached;
    if (request.cacheOnly) throw serviceError('transcript_not_ready');
    return await fetchAndAnswer(deps, await admitCold(deps, request), request, context);
  },
);

/** Waits for the work for as long as asked. */
async function fetchAndAnswer(
  deps: Deps,
  admitted: AdmittedCold,
  request: ColdRequest,
  context: Context,
): Promise<TranscriptAnswer> {
  const { limitId, dailyCreditCap, waitMs, format } = request;
  const begun = await startColdWork(deps, admitted, { limitId, dailyCreditCap }, context);
  return await answerOperation(deps, { ...begun, waitMs, format }, context);
}
