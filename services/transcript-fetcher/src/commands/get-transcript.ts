import { serviceError, transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { readTranscript } from '../application/read-transcript.ts';
import { serveCached } from '../application/serve-cached.ts';
import type { Deps } from '../deps.ts';

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
