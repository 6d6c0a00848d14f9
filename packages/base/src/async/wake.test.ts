import { describe, expect, it } from '@jest/globals';
import { createWakeSignal, Waiters } from './wake.ts';

const FOREVER_MS = 600_000;
const never = new AbortController().signal;

describe('a caller that waits for an id', () => {
  it('goes on with the outcome that the wake-up knows', async () => {
    const waiters = new Waiters<string>();
    const waits = [waiters.wait('a', FOREVER_MS, never), waiters.wait('a', FOREVER_MS, never)];
    waiters.wake('a', 'built');
    expect(await Promise.all(waits.map(({ done }) => done))).toEqual(['built', 'built']);
  });

  it('goes on with nothing when the caller leaves, has left before, gives up or the time is over', async () => {
    const waiters = new Waiters<string>();
    const leaving = new AbortController();
    const given = waiters.wait('c', FOREVER_MS, never);
    const waits = [
      waiters.wait('a', FOREVER_MS, leaving.signal),
      waiters.wait('b', FOREVER_MS, AbortSignal.abort()),
      given,
      waiters.wait('d', 1, never),
    ];
    leaving.abort();
    given.cancel();
    expect(await Promise.all(waits.map(({ done }) => done))).toEqual([null, null, null, null]);
  });

  it('is not woken by the end of another one', async () => {
    const waiters = new Waiters();
    const other = waiters.wait('b', FOREVER_MS, never);
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

describe('a listener', () => {
  it('hears every wake-up until it leaves, also beside others who leave before', () => {
    const waiters = new Waiters<number>();
    const heard: (number | null)[] = [];
    const leave = waiters.listen('a', (outcome) => heard.push(outcome));
    waiters.listen('a', () => undefined)();
    waiters.wake('a', 1);
    waiters.wake('a');
    leave();
    waiters.wake('a', 2);
    expect(heard).toEqual([1, null]);
  });
});

describe('a wait for a wake signal', () => {
  it('ends at once when it is woken', async () => {
    const signal = createWakeSignal();
    const waiting = signal.wait();
    signal.wake();
    await waiting;
  });

  it('remembers one wake that came while no caller waited, however many came', async () => {
    const signal = createWakeSignal();
    signal.wake();
    signal.wake();
    await signal.wait();
    let isOver = false;
    const next = signal.wait().then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    signal.wake();
    await next;
  });
});
