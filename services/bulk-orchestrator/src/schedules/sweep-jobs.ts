import { isServiceAway, onSchedule } from '@tds/service-kit';
import { advanceJob, openTaken } from '../application/advance-job.ts';
import type { CallContext } from '../application/call-context.ts';
import { changeJob } from '../application/change-job.ts';
import { discardJob, openNewJob } from '../application/new-job.ts';
import { OPENING_LEASE_MS, repeatOpening } from '../application/open-line.ts';
import type { Deps } from '../deps.ts';
import { claimDueJobs } from '../store/clocks.ts';
import { findJob, type Job } from '../store/jobs.ts';

/** So many are worked on at a time. */
const AT_ONCE = 32;

/** A job whose creation died: whoever has its key is answered what becomes of it now, and without a key nobody asks for it again. */
const endCreation = async (deps: Deps, { id, idempotencyKey }: Job, context: CallContext): Promise<void> => {
  if (idempotencyKey === null) return discardJob(deps, id);
  const opening = await changeJob(deps, id, async (locked) =>
    locked.job.status === 'creating' ? repeatOpening(locked) : null,
  );
  const accepted = opening && (await openNewJob(deps, opening, context));
  if (accepted) await openTaken(deps, accepted, context);
};

const work = async (deps: Deps, id: string, context: CallContext): Promise<void> => {
  const job = await findJob(deps.db, id);
  if (job === null) return;
  await (job.status === 'creating' ? endCreation(deps, job, context) : advanceJob(deps, id, context));
};

/** Takes up what is due, and what a death has left: what fails here is due again when its lease is over. */
export const sweepJobs = onSchedule(async (deps: Deps, context) => {
  for (;;) {
    const due = await claimDueJobs(deps.db, AT_ONCE, OPENING_LEASE_MS);
    if (due.length === 0 || context.signal.aborted) return;
    const ended = await Promise.allSettled(due.map((id) => work(deps, id, context)));
    const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    const unexpected = failures.filter((error) => !isServiceAway(error));
    if (unexpected.length > 0) throw new AggregateError(unexpected, `${unexpected.length} jobs failed`);
  }
});
