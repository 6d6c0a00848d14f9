import { type getTranscript, type RequestOf, serviceError, type TranscriptAnswer } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { answerOperation } from '../serving/answer-operation.ts';
import { startColdWork } from '../serving/cold-work.ts';
import { serveCached } from '../serving/serve-cached.ts';

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
    const cached = unknown ? null : await serveCached(deps, request, context);
    if (cached) return cached;
    const begun = unknown ?? (await start(false));
    if (!begun) throw serviceError('transcript_not_ready');
    const { waitMs, format } = request;
    return await answerOperation(deps, { ...begun, waitMs, format }, context);
  };
