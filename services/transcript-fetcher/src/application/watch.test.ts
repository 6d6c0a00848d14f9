import { afterEach, describe, expect, it, vi } from 'vitest';
import { OperationWaiters } from './operation-waiters.ts';
import { watch } from './watch.ts';

afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const LONG_MS = 60_000;
const ids = (count: number) => Array.from({ length: count }, (_, at) => `operation ${at}`);

/** Watches so many operations on a clock that stands still unless it is moved on. */
const start = (count: number) => {
  vi.useFakeTimers();
  const waiters = new OperationWaiters();
  const watching = watch(waiters);
  watching.add(ids(count));
  const woken: string[][] = [];
  const next = watching.next(LONG_MS, never).then((all) => woken.push([...all]));
  const wake = (some: readonly string[]) => {
    for (const id of some) waiters.wake(id);
  };
  return { watching, woken, next, wake };
};

describe('a watch', () => {
  it('tells the last ones at once: nothing more is to come', async () => {
    const { woken, next, wake } = start(3);
    wake(ids(3));
    await next;
    expect(woken).toEqual([ids(3)]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells many at once, however many are still to come', async () => {
    const { woken, next, wake } = start(100);
    wake(ids(32));
    await next;
    expect(woken[0]).toHaveLength(32);
  });

  it('waits a moment for more where some have ended, and loses none', async () => {
    const { watching, woken, next, wake } = start(100);
    wake(ids(1));
    await vi.advanceTimersByTimeAsync(100);
    wake(ids(2));
    expect(woken).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    await next;
    expect(woken).toEqual([ids(2)]);
    wake(ids(1));
    const later = watching.next(LONG_MS, never);
    await vi.advanceTimersByTimeAsync(300);
    expect([...(await later)]).toEqual(ids(1));
  });

  it('gives up when the wait or its caller ends', async () => {
    const { woken, next } = start(2);
    await vi.advanceTimersByTimeAsync(LONG_MS);
    await next;
    expect(woken).toEqual([[]]);
    const ending = new AbortController();
    const watching = watch(new OperationWaiters());
    const waiting = watching.next(LONG_MS, ending.signal);
    ending.abort();
    expect([...(await waiting)]).toEqual([]);
  });
});
