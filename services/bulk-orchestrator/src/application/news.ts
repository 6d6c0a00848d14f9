import { randomUUID } from 'node:crypto';
import { failureFields } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { CallContext } from './call-context.ts';
import { createPulse } from './pulse.ts';
import { takeNewsUpTo } from './take-news.ts';

/** Reads news of jobs that somebody has told of, a few times a second at most. What is missed or fails is found by the comparison of lines. */
export const createNews = (deps: () => Deps, everyMs: number) => {
  const pulse = createPulse(everyMs);
  const stopping = new AbortController();
  const read = async (jobId: string, version: number): Promise<void> => {
    const { log } = deps();
    const context: CallContext = { requestId: randomUUID(), accountId: null, signal: stopping.signal };
    try {
      await takeNewsUpTo(deps(), jobId, version, context);
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn('news of a job were not read', { jobId, ...failureFields(error) });
    }
  };
  return {
    hear: (jobId: string, version: number, isOver = false) =>
      pulse.beat(jobId, () => read(jobId, version), isOver),
    stop: () => {
      stopping.abort();
      pulse.stop();
    },
  };
};
