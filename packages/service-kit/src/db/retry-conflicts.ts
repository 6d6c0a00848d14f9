import { setTimeout as pause } from 'node:timers/promises';
import { isConflict } from './sql-state.ts';

const MAX_RETRIES = 5;
const FIRST_PAUSE_MS = 10;

/** Runs `work`, and again after a serialization failure or deadlock: at most five more times, with growing random pauses. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      if (retry > MAX_RETRIES || !isConflict(error)) throw error;
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** retry);
    }
  }
}
