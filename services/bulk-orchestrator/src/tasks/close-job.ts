import { randomUUID } from 'node:crypto';
import { bulkOrchestrator, CREDITS_PER_TRANSCRIPT } from '@tds/contracts';
import { crashPoint, LeaseLost, onTask, RetryLater, type TaskContext } from '@tds/service-kit';
import { askFetcher } from '../application/ask-fetcher.ts';
import { releaseRef } from '../application/reserve-round.ts';
import { type Ended, settle } from '../application/settle-rows.ts';
import { untilBack } from '../application/until-back.ts';
import type { Deps } from '../deps.ts';
import { judge, type RowInHand } from '../domain/outcomes.ts';
import type { Tx } from '../store/database.ts';
import { findJob, type Job, lockJob, saveClosed, troubleOf } from '../store/jobs.ts';
import { closeRounds, findRounds, refsOf } from '../store/rounds.ts';
import { cancelRest, rowsInHand } from '../store/rows.ts';
import { saveOutcomes } from '../store/save-outcomes.ts';

const WAIT_MS = 5_000;
const ASK_AGAIN_MS = 500;

/** Which of the rows under way were charged before what the job held was given back. */
const chargedAmong = async (
  deps: Deps,
  jobId: string,
  rows: readonly RowInHand[],
  task: TaskContext,
): Promise<RowInHand[]> => {
  const byRound = Map.groupBy(
    rows.filter(({ part }) => part !== null),
    ({ round }) => round as number,
  );
  const refs = await refsOf(deps.db, jobId, [...byRound.keys()]);
  const charged: RowInHand[] = [];
  for (const [round, held] of byRound) {
    const parts = held.map(({ part }) => part as number);
    const settled = await settle(deps, refs.get(round) as string, parts, task);
    charged.push(...held.filter(({ part }) => settled.charged.has(part as number)));
  }
  return charged;
};

/** What was charged had been delivered: the fetcher says again what. Its charge is what the ledger says. */
const outcomesOf = async (
  deps: Deps,
  job: Job,
  rows: readonly RowInHand[],
  task: TaskContext,
): Promise<Ended[]> => {
  if (rows.length === 0) return [];
  const ended = await askFetcher(deps, job, rows, WAIT_MS, task);
  if (ended.length < rows.length)
    throw new RetryLater(ASK_AGAIN_MS, 'rows are still to be told', { isAttempt: false });
  return ended.map(({ row, outcome }) => ({
    row,
    outcome: outcome.state === 'delivered' ? { ...outcome, charge: CREDITS_PER_TRANSCRIPT } : outcome,
  }));
};

const close = async (deps: Deps, job: Job, task: TaskContext): Promise<void> => {
  const { db, kit, now } = deps;
  const run = { jobId: job.id, runnerId: randomUUID() };
  await db.job.updateMany({ where: { id: job.id, status: 'cancelled' }, data: { runnerId: run.runnerId } });
  const rounds = await findRounds(db, job.id);
  for (const { ref } of rounds) await releaseRef(deps, ref, task);
  crashPoint('job-closing');
  const charged = await chargedAmong(deps, job.id, await rowsInHand(db, job.id), task);
  const ended = await outcomesOf(deps, job, charged, task);
  const paid = new Set(charged.map(({ operationId }) => operationId));
  const rows = { rowsLeft: ended.length, isAnswered: true };
  const judged = judge(ended, { paid, trouble: troubleOf(job), ...rows, now: now() });
  const version = await saveOutcomes(db, run, judged, now());
  if (version === null) throw new LeaseLost(task.taskId);
  await kit.messaging.transaction(db, async (tx: Tx) => {
    await task.complete(tx);
    await lockJob(tx, job.id);
    await cancelRest(tx, job.id);
    const closed = rounds.map(({ round }) => round);
    await closeRounds(tx, job.id, closed);
    await saveClosed(tx, job.id, now());
  });
};

/**
 * Gives back what a cancelled job holds; a row that was charged before that was delivered, and stays so. Each step may be repeated:
 * what is released is not charged any more.
 */
export const closeJob = onTask(bulkOrchestrator.closeJob, async (deps: Deps, { jobId }, task) => {
  const job = await findJob(deps.db, jobId);
  if (job?.status !== 'cancelled' || job.closedAt !== null) return;
  await untilBack(() => close(deps, job, task));
  const closed = await findJob(deps.db, jobId);
  if (closed) deps.progress.tell(jobId, closed.version);
});
