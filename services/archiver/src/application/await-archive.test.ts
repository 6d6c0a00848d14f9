import { describe, expect, it } from '@jest/globals';
import { createWaiters } from './await-archive.ts';

const FOREVER_MS = 600_000;

describe('whoever waits for an archive', () => {
  it('goes on when it is built here, when the caller leaves, or after the time', async () => {
    const waiters = createWaiters();
    const leaving = new AbortController();
    const never = new AbortController().signal;
    const waits = [
      waiters.wait('a', FOREVER_MS, never),
      waiters.wait('b', FOREVER_MS, leaving.signal),
      waiters.wait('c', 1, never),
    ];
    waiters.wake('a');
    leaving.abort();
    await Promise.all(waits.map(({ done }) => done));
  });

  it('is not woken by the end of another one', async () => {
    const waiters = createWaiters();
    const other = waiters.wait('b', FOREVER_MS, new AbortController().signal);
    let isWoken = false;
    const woken = other.done.then(() => {
      isWoken = true;
    });
    waiters.wake('a');
    await Promise.resolve();
    expect(isWoken).toBe(false);
    other.cancel();
    await woken;
  });
});
