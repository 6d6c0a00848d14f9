import { serviceError } from '@tds/contracts';
import { LARGEST_BODY_BYTES } from './read-body.ts';

/** Of one account; each is megabytes of memory and tens of milliseconds of the event loop. */
const MOST_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 1;

type Sent = { readonly headers: { readonly 'content-length'?: string | undefined } };

const isLarge = ({ headers }: Sent): boolean => {
  // Without a length it may become one.
  const length = headers['content-length'];
  return length === undefined || Number(length) > LARGEST_BODY_BYTES;
};

/** Reads large bodies, few of one account at a time. Throws `concurrency_cap`. */
export const createLargeBodies = () => {
  const reading = new Map<string, number>();
  const change = (accountId: string, by: number): void => {
    const now = (reading.get(accountId) ?? 0) + by;
    if (now === 0) reading.delete(accountId);
    else reading.set(accountId, now);
  };
  return async <T>(accountId: string, request: Sent, read: () => Promise<T>): Promise<T> => {
    if (!isLarge(request)) return read();
    if ((reading.get(accountId) ?? 0) >= MOST_AT_ONCE)
      throw serviceError('concurrency_cap', {
        message: `${MOST_AT_ONCE} large bodies of this account are being read. Send one after the other.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    change(accountId, 1);
    try {
      return await read();
    } finally {
      change(accountId, -1);
    }
  };
};
