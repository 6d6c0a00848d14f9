import { availableCredits, creditsLedger } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Tx } from '../store/database.ts';
import { findJob, type Job, lockJob, moveJob } from '../store/jobs.ts';
import { findRounds } from '../store/rounds.ts';
import { beginWork, tell } from './send-tasks.ts';

type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;

/** Whether the account can pay for what the job waits to hold. */
const isCovered = async ({ db, kit }: Deps, job: Job, context: CallContext): Promise<boolean> => {
  const wanted = await findRounds(db, job.id, 'wanted');
  const needed = wanted.reduce((sum, { parts }) => sum + parts, 0);
  const balance = await kit.call(creditsLedger.getBalance, { accountId: job.accountId }, context);
  return availableCredits(balance) >= needed;
};

const resume = ({ db, kit, now, progress }: Deps, id: string): Promise<void> =>
  kit.messaging
    .transaction(db, async (tx: Tx, send) => {
      const job = await lockJob(tx, id);
      const resumed = job && (await moveJob(tx, job, 'resumed', {}, now()));
      if (!resumed) return null;
      await tell(tx, send, 'jobResumed', resumed);
      await beginWork(tx, send, resumed);
      return resumed;
    })
    .then((resumed) => {
      if (resumed) progress.tell(id, resumed.version);
    });

const lookAgainLater = async ({ db, now, limits }: Deps, id: string): Promise<void> => {
  const resumeAt = new Date(now().getTime() + limits.creditsAgainMs);
  await db.job.updateMany({ where: { id, status: 'paused' }, data: { resumeAt } });
};

/** A paused job goes on; one that waits for credits only where they are there. Repeating it changes nothing. */
export const resumeJob = async (deps: Deps, id: string, context: CallContext): Promise<void> => {
  const job = await findJob(deps.db, id);
  if (job?.status !== 'paused') return;
  const mayGoOn = job.pauseReason !== 'insufficient_credits' || (await isCovered(deps, job, context));
  await (mayGoOn ? resume(deps, id) : lookAgainLater(deps, id));
};
