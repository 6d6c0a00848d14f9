import { serviceError } from '@tds/contracts';

/** Streams of one key at a time, or of the sessions of an account. */
export const MOST_STREAMS = 10;
const RETRY_AFTER_SECONDS = 10;

/** Takes one of the holder's places; the result gives it back, once however often it is called. Throws `stream_cap`. */
export const createPlaces = () => {
  const taken = new Map<string, number>();
  return (holder: string): (() => void) => {
    const before = taken.get(holder) ?? 0;
    if (before >= MOST_STREAMS) throw serviceError('stream_cap', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    taken.set(holder, before + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (taken.get(holder) ?? 1) - 1;
      if (left > 0) taken.set(holder, left);
      else taken.delete(holder);
    };
  };
};
