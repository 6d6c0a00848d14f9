import { type OpeningRefusal, type PauseReason, secondsToNextUtcDay } from '@tds/contracts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

/** `lookAt`: when the job is looked at again; null if only somebody can let it go on. */
export type Pause = { readonly reason: PauseReason; readonly lookAt: Date | null };

/** What only the owner can end outlasts what ends by itself. */
const byOwner: ReadonlySet<PauseReason> = new Set(['key_revoked', 'account_frozen']);
export const isByOwner = (reason: PauseReason | null): boolean => reason !== null && byOwner.has(reason);

const halting: ReadonlySet<PauseReason> = new Set([...byOwner, 'budget_exhausted', 'platform_unavailable']);
/** Whether rows that are in line at the fetcher are held back as well; what has its credits goes on where others lack them. */
export const haltsLine = (reason: PauseReason | null): boolean => reason !== null && halting.has(reason);

const ends: ReadonlySet<PauseReason> = new Set(['daily_limit', 'budget_exhausted', 'platform_unavailable']);
/** Whether the look at it is its end, as far as anybody knows. */
export const endsByItself = (reason: PauseReason): boolean => ends.has(reason);

/** A wait is told in whole seconds and travels: one that ends this close to a UTC midnight ends with the day. */
const CLOSE_MS = 5_000;
export const orMidnight = (moment: Date): Date => {
  const midnight = Math.round(moment.getTime() / DAY_MS) * DAY_MS;
  return Math.abs(moment.getTime() - midnight) <= CLOSE_MS ? new Date(midnight) : moment;
};

/** What becomes of a job whose rows were not opened; `null`: it is cancelled. */
export const pauseOf = ({ code, retryAfterSeconds }: OpeningRefusal, now: Date): Pause | null => {
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  switch (code) {
    case 'account_closed':
    case 'job_cancelled':
      return null;
    case 'key_revoked':
      return { reason: code, lookAt: null };
    case 'account_frozen':
    case 'insufficient_credits':
      // Whatever ends it wakes the job; this is for what was not heard.
      return { reason: code, lookAt: after(HOUR_MS) };
    default: {
      const seconds = retryAfterSeconds ?? secondsToNextUtcDay(now);
      return { reason: 'daily_limit', lookAt: orMidnight(after(Math.max(seconds, 1) * SECOND_MS)) };
    }
  }
};
