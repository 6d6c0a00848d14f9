import { setTimeout as pause } from 'node:timers/promises';
import { bulkOrchestrator, type Job as JobBody, ServiceError, serviceError } from '@tds/contracts';
import { type Context, crashPoint, onCommand } from '@tds/service-kit';
import { listSource, type NewJob, withColdness } from '../application/list-source.ts';
import {
  acceptJob,
  answerOf,
  discardJob,
  type Inserted,
  insertJob,
  type Listed,
} from '../application/new-job.ts';
import { isRefusal, reserveRound } from '../application/reserve-round.ts';
import type { Deps } from '../deps.ts';

/** Long enough for a source that has few pages: its job is then known whole when it is answered. */
const LISTING_WAIT_MS = 2_000;
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 400;

const notNow = (cause?: unknown) => serviceError('service_unavailable', { retryAfterSeconds: 2, cause });

/**
 * What the first request with the same Idempotency-Key was answered; null where there is none, or it was refused. While that one
 * is under way, its answer is waited for.
 */
const answerToRepeat = async (
  deps: Deps,
  { accountId, idempotencyKey }: NewJob,
  { signal }: Context,
): Promise<JobBody | null> => {
  if (idempotencyKey === null) return null;
  const endsAt = performance.now() + deps.limits.repeatWaitMs;
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
    const answer = await answerOf(deps, accountId, idempotencyKey);
    if (answer !== 'open') return answer;
    if (signal.aborted || performance.now() + lookMs > endsAt) throw notNow();
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
};

const listedFor = async (deps: Deps, request: NewJob, context: Context): Promise<Listed> => {
  const source = await listSource(deps, request, LISTING_WAIT_MS, context);
  return source && { source, rows: await withColdness(deps, source.videos, request, context) };
};

/** Holds the credits of a job that was saved, and begins it; or forgets it. Nothing is held for what was not answered. */
const reserveAndAccept = async (
  deps: Deps,
  { job, round }: Extract<Inserted, { kind: 'to_reserve' }>,
  context: Context,
): Promise<JobBody> => {
  crashPoint('job-inserted');
  try {
    const { outcome } = await reserveRound(deps, job, round, context);
    if (outcome !== 'reserved') throw notNow(outcome);
    crashPoint('job-reserved');
  } catch (error) {
    await discardJob(deps, job.id, isRefusal(error) ? [] : [round.ref]);
    throw error instanceof ServiceError ? error : notNow(error);
  }
  const body = await acceptJob(deps, round);
  if (body === null) throw notNow('given up by the sweeper');
  crashPoint('job-accepted');
  return body;
};

/** One of the requests with the same key begins the job; the others wait, and where that one is refused, the next one tries. */
const begin = async (
  deps: Deps,
  request: NewJob,
  listed: Listed,
  context: Context,
): Promise<{ job: JobBody; isReplayed: boolean }> => {
  const inserted = await insertJob(deps, request, listed);
  context.record.add({ creation: inserted.kind });
  if (inserted.kind === 'answered') return { job: inserted.body, isReplayed: false };
  if (inserted.kind === 'to_reserve')
    return { job: await reserveAndAccept(deps, inserted, context), isReplayed: false };
  const first = await answerToRepeat(deps, request, context);
  return first === null ? begin(deps, request, listed, context) : { job: first, isReplayed: true };
};

export const createJob = onCommand(bulkOrchestrator.createJob, async (deps: Deps, request, context) => {
  // Nobody has an account webhook yet.
  if (request.webhookUrl !== null) throw serviceError('webhook_not_configured');
  const answered = await answerToRepeat(deps, request, context);
  if (answered) return { job: answered, isReplayed: true };
  return begin(deps, request, await listedFor(deps, request, context), context);
});
