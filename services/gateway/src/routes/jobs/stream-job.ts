import type { ServerResponse } from 'node:http';
import { bulkOrchestrator, hasJobEnded } from '@tds/contracts';
import { routes } from '@tds/http-api';
import { firstEvent, formatProgress } from '../../streams/index.ts';
import { createAnswers, onRoute } from '../serve/index.ts';

const [streamAnswers, noContentAnswers] = [
  createAnswers(routes.streamJob, 200),
  createAnswers(routes.streamJob, 204),
];
const EVENTS = 'text/event-stream';

/** nginx collects an answer unless a header forbids it, and other proxies may compress one, which collects it as well. */
const UNBUFFERED = {
  cacheControl: 'no-store, no-transform',
  headers: ['X-Accel-Buffering', 'no'],
};

/** Releases what Express attached to the request and response: streams live long. */
const releaseExpress = (response: ServerResponse): void => {
  Object.assign(response, { locals: null });
  Object.assign(response.req, { next: null, params: null, res: null, route: null });
};

/** Streams the progress of a job, beginning with the current one. */
export const streamJob = onRoute(routes.streamJob, async ({ call, jobStreams }, input) => {
  const { accountId, keyId, limitId } = input.principal;
  const { jobId } = input.params;
  const release = jobStreams.take(limitId ?? accountId);
  try {
    const request = { accountId, jobId };
    const { job, version } = await call(bulkOrchestrator.getJobSummary, request, input.callContext);
    const progress = formatProgress(job);
    const isKnown = input.headers['last-event-id'] === String(version);
    const first = firstEvent(progress, version, isKnown);
    if (!hasJobEnded(job) && !input.isHead) {
      const answer = streamAnswers.streamed(EVENTS, (response) => {
        if (response.destroyed) return release();
        response.once('close', release);
        releaseExpress(response);
        response.write(first);
        jobStreams.join(response, { jobId, accountId, version, progress }, keyId);
      });
      return { ...answer, ...UNBUFFERED };
    }
    release();
    if (isKnown && hasJobEnded(job)) return noContentAnswers.empty();
    return streamAnswers.composed(EVENTS, first);
  } catch (error) {
    release();
    throw error;
  }
});
