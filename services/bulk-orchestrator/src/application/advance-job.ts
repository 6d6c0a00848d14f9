import { errorCodeDefinition, MOST_LINE_ROWS, type PauseReason } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { hasEnded, pauseEndsAt } from '../domain/job-state.ts';
import { OUTAGE_AFTER } from '../domain/outcomes.ts';
import { wakeForCredits } from '../store/clocks.ts';
import { beginAttempts, failRows } from '../store/rows.ts';
import type { Saved } from '../store/save-job.ts';
import type { CallContext } from './call-context.ts';
import { changeJob, type Locked, save } from './change-job.ts';
import { askToOpen, leaseFrom, type Opening, repeatOpening, saveOpened } from './open-line.ts';
import { asResumed, resumeJob } from './pause-job.ts';

type TakenUp = Saved & Opening;

const codeOf = {
  insufficient_credits: 'insufficient_credits',
  daily_limit: 'daily_credit_cap',
  budget_exhausted: 'budget_exhausted',
  platform_unavailable: 'upstream_error',
  waiting_for_broadcast: 'transcript_not_ready',
  key_revoked: 'key_revoked',
  account_frozen: 'account_frozen',
} as const satisfies Record<PauseReason, string>;

/** Nobody has let it go on for as long as jobs wait. */
const giveUp = async (locked: Locked, reason: PauseReason): Promise<TakenUp> => {
  const code = codeOf[reason];
  const { errorClass, message } = errorCodeDefinition(code);
  await failRows(locked.tx, locked.job.id, { errorClass, code, message, retryable: true });
  const failed = await save(locked, { ...asResumed, status: 'failed', error: { errorClass, code } });
  return { ...failed, rows: [] };
};

/** Rows that are due get an operation each, saved before it is used. In trouble a few go first. */
const beginRows = async (locked: Locked): Promise<TakenUp> => {
  const { tx, job, now } = locked;
  const most = job.troubleSince === null ? MOST_LINE_ROWS : OUTAGE_AFTER;
  const rows = await beginAttempts(tx, job.id, most);
  return { ...(await save(locked, rows.length > 0 ? leaseFrom(now) : asResumed)), rows };
};

/** What is to be done for a job that is due. */
const takeUp = async (locked: Locked): Promise<TakenUp> => {
  const { job, now } = locked;
  if (job.openingId !== null) return repeatOpening(locked);
  if (hasEnded(job.status)) return { ...(await save(locked, {})), rows: [] };
  const { pauseReason, pausedSince, lookAt } = job;
  if (pauseReason !== null) {
    if (pausedSince !== null && now >= pauseEndsAt(pausedSince)) return giveUp(locked, pauseReason);
    if (lookAt === null || lookAt > now) return { ...(await save(locked, {})), rows: [] };
  }
  return job.isListed ? beginRows(locked) : { ...(await resumeJob(locked)), rows: [] };
};

/** Opens what is due of a job. Repeating it changes nothing, and a death in between is made good when its lease is over. */
export const advanceJob = async (deps: Deps, jobId: string, context: CallContext): Promise<void> => {
  const taken = await changeJob(deps, jobId, takeUp);
  if (taken !== null && taken.rows.length > 0) await openTaken(deps, taken, context);
};

/** Has rows opened that are saved as such, and hears what came of it. */
export const openTaken = async (deps: Deps, taken: Opening, context: CallContext): Promise<void> => {
  const opened = await askToOpen(deps, taken, context);
  await saveOpened(deps, taken, opened);
  deps.news.hear(taken.job.id, opened.version);
  // What it has left over may be enough for the next job that waits.
  const hadNone = taken.job.pauseReason === 'insufficient_credits' && opened.refusal === null;
  if (hadNone) await wakeForCredits(deps.db, taken.job.accountId);
};
