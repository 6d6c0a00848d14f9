import { randomUUID } from 'node:crypto';
import {
  type LineRow,
  MAX_LINE_ROWS,
  type PauseReason,
  type ReplyOf,
  transcriptFetcher,
} from '@tds/contracts';
import { errorCodeDefinition } from '@tds/errors';
import { crashPoint } from '@tds/messaging';
import type { CallContext, Deps } from '../deps.ts';
import { haltsLine, hasEnded, pauseEndsAt, pauseOf } from '../domain/job-state.ts';
import { OUTAGE_AFTER } from '../domain/outcomes.ts';
import { OPENING_LEASE_MS, wakeForCredits } from '../store/clocks.ts';
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

/** Rows with saved operations that the fetcher is asked to open. */
export type Opening = { readonly job: Job; readonly rows: readonly LineRow[] };
type OpenLineReply = ReplyOf<typeof transcriptFetcher.openLine>;

export const leaseFrom = (now: Date) => ({
  openingId: randomUUID(),
  dueAt: new Date(now.getTime() + OPENING_LEASE_MS),
});

const confirmed = { openingId: null, isForgotten: false };

/**
 * Prepares a repeat of an opening whose answer was lost: only the last answer counts. If changes have ended all rows, there is nothing to
 * repeat.
 */
export const repeatOpening = async (locked: Locked): Promise<Saved & Opening> => {
  const rows = await rowsAtFetcher(locked.tx, locked.job.id);
  // A restored fetcher may have lost these rows, so it looks up which of them are paid.
  const again = { ...leaseFrom(locked.now), isForgotten: true };
  return { ...(await save(locked, rows.length > 0 ? again : confirmed)), rows };
};

/** Asks the fetcher to open rows. A repeat opens nothing twice. Rows of a job in creation do not begin. */
export const askToOpen = async (
  { call }: Pick<Deps, 'call'>,
  { job, rows }: Opening,
  context: CallContext,
): Promise<OpenLineReply> => {
  const { id: lineId, accountId, keyId, language, fallback, format, isForgotten } = job;
  // A line that the fetcher lost would be open again: stop it first if the job is cancelled.
  if (job.status === 'cancelled')
    await call(transcriptFetcher.haltLine, { lineId, accountId, as: 'stopped' }, context);
  const selection = { language, fallback, format };
  const isAccepted = job.status !== 'creating';
  const asked = { lineId, accountId, keyId, ...selection, rows: [...rows], isAccepted, isForgotten };
  const opened = await call(transcriptFetcher.openLine, asked, context);
  crashPoint('job-line-opened');
  return opened;
};

type OpeningAnswer = Pick<OpenLineReply, 'refusal'> & {
  /** The job at the time of the request. */
  readonly asked: Job;
  readonly hasOpened: boolean;
};

/** Returns true if a pause has ended, because its rows were opened when it was due. */
const isOver = ({ pauseReason, lookAt }: Job, now: Date): boolean =>
  pauseReason === null || (lookAt !== null && lookAt <= now);

const afterOpening = async (locked: Locked, { asked, refusal, hasOpened }: OpeningAnswer): Promise<Saved> => {
  const { send, job, now } = locked;
  const isSame = job.pauseReason === asked.pauseReason;
  // A job that makes progress is not given up, however slow.
  const since = hasOpened ? { pausedSince: null } : {};
  const pause = refusal && pauseOf(refusal, now);
  if (pause) {
    const before = { pauseReason: isSame ? null : job.pauseReason };
    return save(locked, { ...confirmed, ...asPaused(before, pause), ...since });
  }
  if (refusal) return (await cancelLocked(locked, confirmed)) ?? save(locked, confirmed);
  const goesOn = isSame && isOver(asked, now);
  // A pause since then may have halted the line before these rows arrived.
  if (!isSame || (!goesOn && haltsLine(job.pauseReason))) await haltLater(send, job.id);
  return save(locked, { ...confirmed, ...(goesOn && asResumed) });
};

/** Saves the fetcher's answer. Returns null if the opening was repeated since. */
export const saveOpened = (
  deps: Deps,
  { job: asked, rows }: Opening,
  { unopened, refusal }: OpenLineReply,
): Promise<Saved | null> =>
  changeJob(deps, asked.id, async (locked) => {
    const { tx, job } = locked;
    if (job.openingId !== asked.openingId) return null;
    await dropAttempts(tx, job.id, unopened, job.status === 'cancelled' ? 'cancelled' : 'pending');
    return afterOpening(locked, { asked, refusal, hasOpened: unopened.length < rows.length });
  });

type StartedOpening = Saved & Opening;

const codeOf = {
  insufficient_credits: 'insufficient_credits',
  daily_limit: 'daily_credit_cap',
  budget_exhausted: 'budget_exhausted',
  platform_unavailable: 'upstream_error',
  waiting_for_broadcast: 'transcript_not_ready',
  key_revoked: 'key_revoked',
  account_frozen: 'account_frozen',
} as const satisfies Record<PauseReason, string>;

/** Fails a job whose pause exceeded the limit. */
const giveUp = async (locked: Locked, reason: PauseReason): Promise<StartedOpening> => {
  const code = codeOf[reason];
  const { errorClass, message } = errorCodeDefinition(code);
  await failRows(locked.tx, locked.job.id, { errorClass, code, message, retryable: true });
  const failed = await save(locked, { ...asResumed, status: 'failed', error: { errorClass, code } });
  return { ...failed, rows: [] };
};

/** Gives each due row an operation, saved before it is used. In trouble only a few rows go first. */
const beginRows = async (locked: Locked): Promise<StartedOpening> => {
  const { tx, job, now } = locked;
  const most = job.troubleSince === null ? MAX_LINE_ROWS : OUTAGE_AFTER;
  const rows = await beginAttempts(tx, job.id, most);
  return { ...(await save(locked, rows.length > 0 ? leaseFrom(now) : asResumed)), rows };
};

const takeUp = async (locked: Locked): Promise<StartedOpening> => {
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

/** Opens the due rows of a job. A repeat changes nothing; after a death the sweep repeats it when the lease ends. */
export const advanceJob = async (deps: Deps, jobId: string, context: CallContext): Promise<void> => {
  const taken = await changeJob(deps, jobId, takeUp);
  if (taken !== null && taken.rows.length > 0) await openTaken(deps, taken, context);
};

/** Opens saved rows at the fetcher, and saves the answer. */
export const openTaken = async (deps: Deps, taken: Opening, context: CallContext): Promise<void> => {
  const opened = await askToOpen(deps, taken, context);
  await saveOpened(deps, taken, opened);
  deps.changes.read(taken.job.id, opened.version);
  // The remaining credits may be enough for the next waiting job.
  const hadNone = taken.job.pauseReason === 'insufficient_credits' && opened.refusal === null;
  if (hadNone) await wakeForCredits(deps.db, taken.job.accountId);
};
