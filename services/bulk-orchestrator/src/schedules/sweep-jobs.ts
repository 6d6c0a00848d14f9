import { bulkOrchestrator } from '@tds/contracts';
import { each, onSchedule, walk, walkAll } from '@tds/service-kit';
import { discardJob } from '../application/new-job.ts';
import { resumeJob } from '../application/resume-job.ts';
import { beginWork } from '../application/send-tasks.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../store/database.ts';
import { lockJob } from '../store/jobs.ts';
import { findRounds } from '../store/rounds.ts';
import { jobsToClose, jobsToResume, untouchedJobs } from '../store/sweeps.ts';

type Id = { readonly id: string };

/** A job that was never accepted is forgotten. */
const discard =
  (deps: Deps) =>
  async ({ id }: Id): Promise<void> => {
    const rounds = await findRounds(deps.db, id);
    const refs = rounds.map(({ ref }) => ref);
    await discardJob(deps, id, refs);
  };

/** A job that nobody has touched for long has its task again, if it has none. */
const beginAgain =
  ({ db, kit, now }: Deps) =>
  ({ id }: Id): Promise<void> =>
    kit.messaging.transaction(db, async (tx: Tx, send) => {
      const job = await lockJob(tx, id);
      if (job === null || !['enumerating', 'pending', 'running'].includes(job.status)) return;
      await beginWork(tx, send, job);
      await tx.job.update({ where: { id }, data: { touchedAt: now() } });
    });

const closeAgain =
  ({ db, kit, now }: Deps) =>
  ({ id }: Id): Promise<void> =>
    kit.messaging.transaction(db, async (tx: Tx, send) => {
      await send.enqueue(bulkOrchestrator.closeJob, { jobId: id }, { key: id });
      await tx.job.update({ where: { id }, data: { touchedAt: now() } });
    });

/** Takes up what a death has left, and what waited for this moment. Each step may be repeated; one that fails fails alone. */
export const sweepJobs = onSchedule(async (deps: Deps, context) => {
  const { db, limits, now } = deps;
  const { signal } = context;
  const before = new Date(now().getTime() - limits.abandonedMs);
  const underWay = ['enumerating', 'pending', 'running'] as const;
  await walkAll([
    walk<Id>((after) => untouchedJobs(db, ['creating'], before, after?.id), each(discard(deps)), signal),
    walk<Id>((after) => untouchedJobs(db, underWay, before, after?.id), each(beginAgain(deps)), signal),
    walk<Id>((after) => jobsToClose(db, before, after?.id), each(closeAgain(deps)), signal),
    walk<Id>(
      (after) => jobsToResume(db, now(), after?.id),
      each(({ id }) => resumeJob(deps, id, context)),
      signal,
    ),
  ]);
});
