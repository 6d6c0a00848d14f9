import { type getTranscript, type RequestOf, serviceError, type TranscriptAnswer } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { assertDeliverable, isCurrent, isStanding, standingError } from '../domain/selection.ts';
import { answerOperation } from '../serving/answer-operation.ts';
import { startColdWork } from '../serving/cold-work.ts';
import { deliver } from '../serving/deliver.ts';
import { findCached } from '../store/cache.ts';

type Request = RequestOf<typeof getTranscript>;

/**
 * Cache first; a standing fact about the video answers at once; else cold work, waited for as long as asked. What nothing is
 * known of is cold work without a look into the cache.
 */
export const getTranscriptHandler =
  (deps: Deps) =>
  async (request: Request, context: Context): Promise<TranscriptAnswer> => {
    const start = async (unlessKnown: boolean) =>
      request.cacheOnly ? null : await startColdWork(deps, request, context, { unlessKnown });
    const unknown = await start(true);
    const cached = unknown ? null : await serveFromCache(deps, request);
    if (cached) return cached;
    const begun = unknown ?? (await start(false));
    if (!begun) throw serviceError('transcript_not_ready');
    const { waitMs, format } = request;
    return await answerOperation(deps, { ...begun, waitMs, format }, context);
  };

async function serveFromCache(deps: Deps, request: Request): Promise<TranscriptAnswer | null> {
  const now = deps.clock();
  const entry = await findCached(deps.sql, request);
  const { selection, transcript, fact } = entry;
  if (selection && isCurrent(selection, now)) {
    assertDeliverable(selection, request, now);
    if (transcript) return await deliver(deps, request, { transcript, ...selection }, entry);
  }
  if (fact && isStanding(fact, now)) throw standingError(fact, now);
  return null;
}
