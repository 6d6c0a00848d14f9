import { ExponentialBackoff, fullJitterGenerator, handleWhen, retry } from 'cockatiel';
import { isConflict } from './sql-state.ts';

const MAX_RETRIES = 5;
const FIRST_PAUSE_MS = 20;

const policy = retry(handleWhen(isConflict), {
  maxAttempts: MAX_RETRIES,
  backoff: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, generator: fullJitterGenerator }),
});

/** Runs `work`, and again after a serialization failure or deadlock: at most five more times, with growing random pauses. */
export const retryConflicts = <T>(work: () => Promise<T>): Promise<T> => policy.execute(work);
