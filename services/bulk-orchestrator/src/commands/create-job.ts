import { setTimeout as delay } from 'node:timers/promises';
import { failureFields } from '@tds/base';
import { bulkOrchestrator, type Job as JobBody, webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import { type Context, crashPoint } from '@tds/messaging';
import { type Opening, openSavedRows } from '../application/advance-job.ts';
import { listSource, type NewJob, type Source } from '../application/list-source.ts';
import {
  discardJob,
  firstAnswer,
  insertJob,
  openNewJob,
  readAnswer,
  unavailableError,
} from '../application/new-job.ts';
import type { Deps } from '../deps.ts';
import { OPENING_LEASE_MS } from '../store/clocks.ts';

/** Long enough to list a source of few pages, whose job is then answered with all rows. */
const LISTING_WAIT_MS = 2_000;
const MIN_POLL_MS = 20;
const MAX_POLL_MS = 400;

/**
 * The answer to the first request with the same Idempotency-Key; null if there is none, or it was refused. Waits while that request is
 * under way.
 */
const replayAnswer = async (deps: Deps, request: NewJob, { signal }: Context) => {
  const { idempotencyKey } = request;
  if (idempotencyKey === null) return null;
  const endsAt = performance.now() + deps.limits.repeatWaitMs;
  for (let pollMs = MIN_POLL_MS; ; pollMs = Math.min(pollMs * 2, MAX_POLL_MS)) {
    const answer = await readAnswer(deps, { ...request, idempotencyKey });
    if (answer !== 'open') return answer;
    if (signal.aborted || performance.now() + pollMs > endsAt) throw unavailableError();
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
};

/**
 * Opens the job; its rows begin after the answer. While the fetcher is away, a job with a key stays in creation for the sweep, which
 * answers the key; a job without a key is given up.
 */
const open = async (deps: Deps, opening: Opening, context: Context) => {
  crashPoint('job-inserted');
  const { id, idempotencyKey } = opening.job;
  try {
    const accepted = await openNewJob(deps, opening, context);
    if (accepted) void beginLater(deps, accepted, context);
  } catch (error) {
    // If that fails too, the sweep gives it up.
    if (idempotencyKey === null) await discardJob(deps, id).catch(() => undefined);
    throw error;
  }
};

/** Runs after the answer. After a failure the sweep repeats it when the lease ends. */
const beginLater = (deps: Deps, opening: Opening, { requestId, accountId }: Context) =>
  openSavedRows(deps, opening, { requestId, accountId, signal: AbortSignal.timeout(OPENING_LEASE_MS) }).catch(
    (error: unknown) =>
      deps.log.warn('beginning the rows of a job failed, will retry', {
        jobId: opening.job.id,
        ...failureFields(error),
      }),
  );

/** Of requests with one key one begins the job and the others wait; if it is refused, the next one tries. */
const begin = async (
  deps: Deps,
  request: NewJob,
  listing: Source | null,
  context: Context,
): Promise<{ job: JobBody; isReplayed: boolean }> => {
  const inserted = await insertJob(deps, request, listing);
  context.record.add({ creation: inserted.kind });
  if (inserted.kind === 'repeat') {
    const first = await replayAnswer(deps, request, context);
    return first === null ? begin(deps, request, listing, context) : { job: first, isReplayed: true };
  }
  if (inserted.kind === 'to_open') await open(deps, inserted, context);
  const jobId = inserted.kind === 'to_open' ? inserted.job.id : inserted.jobId;
  const job = await firstAnswer(deps, jobId);
  if (job === null) throw unavailableError('given up by the sweep');
  return { job, isReplayed: false };
};

export const createJob = onCommand(bulkOrchestrator.createJob, async (deps: Deps, request, context) => {
  const answer = await replayAnswer(deps, request, context);
  if (answer) return { job: answer, isReplayed: true };
  const { accountId, webhookUrl, receiverIds = [], isRestored = false } = request;
  // The webhook may be known again only later.
  if (webhookUrl !== null && !isRestored)
    await deps.call(webhookDispatcher.checkWebhookUrl, { accountId, url: webhookUrl }, context);
  // A monitor's may have ended since.
  if (receiverIds.length > 0 && request.monitorId === null)
    await deps.call(webhookDispatcher.checkReceivers, { accountId, receiverIds }, context);
  return begin(deps, request, await listSource(deps, request, LISTING_WAIT_MS, context), context);
});
