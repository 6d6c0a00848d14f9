import { randomUUID } from 'node:crypto';
import { type LineRow, type ReplyOf, transcriptFetcher } from '@tds/contracts';
import { crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { haltsLine, pauseOf } from '../domain/pauses.ts';
import type { Job } from '../store/jobs.ts';
import { dropAttempts, rowsAtFetcher } from '../store/rows.ts';
import type { Saved } from '../store/save-job.ts';
import type { CallContext } from './call-context.ts';
import { cancelLocked } from './cancel-job.ts';
import { changeJob, type Locked, save } from './change-job.ts';
import { asPaused, asResumed, haltLater } from './pause-job.ts';

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
