import { bulkOrchestrator } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import { discardJob } from '../application/new-job.ts';
import { resumeJob } from '../application/resume-job.ts';
import { beginWork } from '../application/send-tasks.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../store/database.ts';
import { lockJob } from '../store/jobs.ts';
import { findRounds } from '../store/rounds.ts';
import { jobsToClose, jobsToResume, untouchedJobs } from '../store/sweeps.ts';

const AT_ONCE = 200;

/** A job that nobody has touched for long has its task again, if it has none. */
const beginAgain = ({ db, kit, now }: Deps, id: string): Promise<void> =>
  kit.messaging.transaction(db, async (tx: Tx, send) => {
    const job = await lockJob(tx, id);
    if (job === null || !['enumerating', 'pending', 'running'].includes(job.status)) return;
    await beginWork(tx, send, job);
    await tx.job.update({ where: { id }, data: { touchedAt: now() } });
  });

const closeAgain = ({ db, kit, now }: Deps, id: string): Promise<void> =>
  kit.messaging.transaction(db, async (tx: Tx, send) => {
    await send.enqueue(bulkOrchestrator.closeJob, { jobId: id }, { key: id });
    await tx.job.update({ where: { id }, data: { touchedAt: now() } });
  });

/** Takes up what a death has left, and what waited for this moment. Each step may be repeated. */
export const sweepJobs = onSchedule(async (deps: Deps, context) => {
  const { db, limits, now, kit } = deps;
  const before = new Date(now().getTime() - limits.abandonedMs);
  for (const id of await untouchedJobs(db, ['creating'], before, AT_ONCE)) {
    const rounds = await findRounds(db, id);
    await discardJob(
      deps,
      id,
      rounds.map(({ ref }) => ref),
    );
  }
  for (const id of await untouchedJobs(db, ['enumerating', 'pending', 'running'], before, AT_ONCE))
    await beginAgain(deps, id);
  for (const id of await jobsToClose(db, before, AT_ONCE)) await closeAgain(deps, id);
  for (const id of await jobsToResume(db, now(), AT_ONCE)) {
    // One account that the ledger cannot answer for now keeps nobody else waiting.
    await resumeJob(deps, id, context).catch((error: unknown) => {
      kit.log.warn('a paused job could not be looked at', { jobId: id, error });
    });
  }
});
