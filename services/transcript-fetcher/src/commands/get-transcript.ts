import { serviceError, transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { answerOperation } from '../serving/answer-operation.ts';
import { startColdWork } from '../serving/cold-work.ts';
import { serveCached } from '../serving/serve-cached.ts';

/**
 * Cache first; a standing fact about the video answers at once; else cold work, waited for as long as asked. What nothing is
 * known of is cold work without a look into the cache.
 */
export const getTranscript = onCommand(
  transcriptFetcher.getTranscript,
  async (deps: Deps, request, context) => {
    const start = async (unlessKnown: boolean) =>
      request.cacheOnly ? null : await startColdWork(deps, request, context, { unlessKnown });
    const unknown = await start(true);
    const cached = unknown ? null : await serveCached(deps, request, context);
    if (cached) return cached;
    const begun = unknown ?? (await start(false));
    if (!begun) throw serviceError('transcript_not_ready');
    const { waitMs, format } = request;
    return await answerOperation(deps, { ...begun, waitMs, format }, context);
  },
);
