import { setTimeout as pause } from 'node:timers/promises';
import { bulkOrchestrator, type Job as JobBody, webhookDispatcher } from '@tds/contracts';
import { type Context, crashPoint, failureFields, onCommand } from '@tds/service-kit';
import { OPENING_LEASE_MS, type Opening, openTaken } from '../application/advance-job.ts';
import { listSource, type NewJob, type Source } from '../application/list-source.ts';
import { answerOf, discardJob, firstAnswer, insertJob, notNow, openNewJob } from '../application/new-job.ts';
import type { Deps } from '../deps.ts';

/** Long enough for a source that has few pages: its job is then known whole when it is answered. */
const LISTING_WAIT_MS = 2_000;
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 400;

/**
 * What the first request with the same Idempotency-Key was answered; null where there is none, or it was refused. While that one
 * is under way, its answer is waited for.
 */
const answerToRepeat = async (deps: Deps, request: NewJob, { signal }: Context): Promise<JobBody | null> => {
  const { idempotencyKey } = request;
  if (idempotencyKey === null) return null;
  const endsAt = performance.now() + deps.limits.repeatWaitMs;
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
    const answer = await answerOf(deps, { ...request, idempotencyKey });
    if (answer !== 'open') return answer;
    if (signal.aborted || performance.now() + lookMs > endsAt) throw notNow();
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
};

/**
 * Has the job opened, and its rows begin when the answer is on its way. While the fetcher is away, a job with a key waits in its creation
 * for the sweep, which answers the key; one that nobody can ask for again is given up.
 */
const open = async (deps: Deps, opening: Opening, context: Context): Promise<void> => {
  crashPoint('job-inserted');
  const { id, idempotencyKey } = opening.job;
  try {
    const accepted = await openNewJob(deps, opening, context);
    if (accepted) void beginLater(deps, accepted, context);
  } catch (error) {
    // Where that fails as well, the sweep gives it up.
    if (idempotencyKey === null) await discardJob(deps, id).catch(() => undefined);
    throw error;
  }
};

/** Nobody waits for it; what fails here is done by the sweep when its lease is over. */
const beginLater = (deps: Deps, accepted: Opening, { requestId, accountId }: Context): Promise<void> =>
  openTaken(deps, accepted, { requestId, accountId, signal: AbortSignal.timeout(OPENING_LEASE_MS) }).catch(
    (error: unknown) =>
      deps.log.warn('the rows of a job were not begun yet', {
        jobId: accepted.job.id,
        ...failureFields(error),
      }),
  );

/** One of the requests with the same key begins the job; the others wait, and where that one is refused, the next one tries. */
const begin = async (
  deps: Deps,
  request: NewJob,
  listed: Source | null,
  context: Context,
): Promise<{ job: JobBody; isReplayed: boolean }> => {
  const inserted = await insertJob(deps, request, listed);
  context.record.add({ creation: inserted.kind });
  if (inserted.kind === 'repeat') {
    const first = await answerToRepeat(deps, request, context);
    return first === null ? begin(deps, request, listed, context) : { job: first, isReplayed: true };
  }
  if (inserted.kind === 'to_open') await open(deps, inserted, context);
  const jobId = inserted.kind === 'to_open' ? inserted.job.id : inserted.jobId;
  const job = await firstAnswer(deps, jobId);
  if (job === null) throw notNow('given up by the sweep');
  return { job, isReplayed: false };
};

export const createJob = onCommand(bulkOrchestrator.createJob, async (deps: Deps, request, context) => {
  const answered = await answerToRepeat(deps, request, context);
  if (answered) return { job: answered, isReplayed: true };
  const { accountId, webhookUrl } = request;
  if (webhookUrl !== null)
    await deps.call(webhookDispatcher.checkWebhookUrl, { accountId, url: webhookUrl }, context);
  return begin(deps, request, await listSource(deps, request, LISTING_WAIT_MS, context), context);
});
