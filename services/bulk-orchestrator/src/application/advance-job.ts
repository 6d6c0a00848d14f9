import { randomUUID } from 'node:crypto';
import {
  errorCodeDefinition,
  type LineRow,
  MOST_LINE_ROWS,
  type PauseReason,
  type ReplyOf,
  transcriptFetcher,
} from '@tds/contracts';
import { crashPoint } from '@tds/service-kit';
import type { CallContext, Deps } from '../deps.ts';
import { haltsLine, hasEnded, pauseEndsAt, pauseOf } from '../domain/job-state.ts';
import { OUTAGE_AFTER } from '../domain/outcomes.ts';
import { wakeForCredits } from '../store/clocks.ts';
import type { Job } from '../store/jobs.ts';
import { beginAttempts, dropAttempts, failRows, rowsAtFetcher } from '../store/rows.ts';
import type { Saved } from '../store/save-job.ts';
import {
  asPaused,
  asResumed,
  cancelLocked,
  changeJob,
  haltLater,
  type Locked,
  resumeJob,
  save,
} from './change-job.ts';

/** So long the fetcher is given to answer; then somebody asks it the same again. */
export const OPENING_LEASE_MS = 30_000;

/** Rows whose operations are saved, and that the fetcher is asked to open. */
export type Opening = { readonly job: Job; readonly rows: readonly LineRow[] };
type Opened = ReplyOf<typeof transcriptFetcher.openLine>;

export const leaseFrom = (now: Date) => ({
  openingId: randomUUID(),
  dueAt: new Date(now.getTime() + OPENING_LEASE_MS),
});

const confirmed = { openingId: null, isForgotten: false };

/**
 * Asks for the same rows again, since nobody knows what became of the question: only the last answer is heard. Where news have ended
 * all of them, there is nothing to ask.
 */
export const repeatOpening = async (locked: Locked): Promise<Saved & Opening> => {
  const rows = await rowsAtFetcher(locked.tx, locked.job.id);
  // What became of them may be forgotten as well, where the fetcher's database was put back: what is paid is looked up.
  const again = { ...leaseFrom(locked.now), isForgotten: true };
  return { ...(await save(locked, rows.length > 0 ? again : confirmed)), rows };
};

/** Has the rows opened; those that were are not opened again, however often this is repeated. Of a job that is being created none begins. */
export const askToOpen = async (
  { call }: Pick<Deps, 'call'>,
  { job, rows }: Opening,
  context: CallContext,
): Promise<Opened> => {
  const { id: lineId, accountId, keyId, language, fallback, format, isForgotten } = job;
  // A line that the fetcher has lost is open again: rows of a cancelled job have to find it stopped.
  if (job.status === 'cancelled')
    await call(transcriptFetcher.haltLine, { lineId, accountId, as: 'stopped' }, context);
  const selection = { language, fallback, format };
  const isAccepted = job.status !== 'creating';
  const asked = { lineId, accountId, keyId, ...selection, rows: [...rows], isAccepted, isForgotten };
  const opened = await call(transcriptFetcher.openLine, asked, context);
  crashPoint('job-line-opened');
  return opened;
};

/** What an answer of the fetcher changes besides its rows. */
type Answer = Pick<Opened, 'refusal'> & {
  /** The job as it was when the fetcher was asked. */
  readonly asked: Job;
  readonly hasOpened: boolean;
};

/** Whether a pause is over, since rows were opened when it was due. */
const isOver = ({ pauseReason, lookAt }: Job, now: Date): boolean =>
  pauseReason === null || (lookAt !== null && lookAt <= now);

const afterOpening = async (locked: Locked, { asked, refusal, hasOpened }: Answer): Promise<Saved> => {
  const { send, job, now } = locked;
  const isSame = job.pauseReason === asked.pauseReason;
  // What gets on, however slowly, is not given up.
  const since = hasOpened ? { pausedSince: null } : {};
  const pause = refusal && pauseOf(refusal, now);
  if (pause) {
    const before = { pauseReason: isSame ? null : job.pauseReason };
    return save(locked, { ...confirmed, ...asPaused(before, pause), ...since });
  }
  if (refusal) return (await cancelLocked(locked, confirmed)) ?? save(locked, confirmed);
  const goesOn = isSame && isOver(asked, now);
  // What has paused it meanwhile may have been heard before these rows came.
  if (!isSame || (!goesOn && haltsLine(job.pauseReason))) await haltLater(send, job.id);
  return save(locked, { ...confirmed, ...(goesOn && asResumed) });
};

/** Saves what the fetcher has opened. Null where somebody has asked again since. */
export const saveOpened = (
  deps: Deps,
  { job: asked, rows }: Opening,
  { unopened, refusal }: Opened,
): Promise<Saved | null> =>
  changeJob(deps, asked.id, async (locked) => {
    const { tx, job } = locked;
    if (job.openingId !== asked.openingId) return null;
    await dropAttempts(tx, job.id, unopened, job.status === 'cancelled' ? 'cancelled' : 'pending');
    return afterOpening(locked, { asked, refusal, hasOpened: unopened.length < rows.length });
  });

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
