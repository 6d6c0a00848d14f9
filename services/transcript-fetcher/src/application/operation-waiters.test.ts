import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OperationWaiters } from './operation-waiters.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('what is believed of an operation without a look', () => {
  it('is that it is open for two seconds, and not a moment longer: a wake-up may have been lost', async () => {
    const waiters = new OperationWaiters();
    expect(waiters.isBelievedOpen('one')).toBe(false);
    waiters.believeOpen(['one', 'two']);
    await pass(1_999);
    expect([waiters.isBelievedOpen('one'), waiters.isBelievedOpen('two')]).toEqual([true, true]);
    await pass(1);
    expect([waiters.isBelievedOpen('one'), waiters.isBelievedOpen('two')]).toEqual([false, false]);
  });

  it('begins anew with each look, also for one that was looked at before others', async () => {
    const waiters = new OperationWaiters();
    waiters.believeOpen(['one']);
    waiters.believeOpen(['two']);
    await pass(1_500);
    waiters.believeOpen(['one']);
    await pass(1_000);
    expect([waiters.isBelievedOpen('one'), waiters.isBelievedOpen('two')]).toEqual([true, false]);
    // Those that are over are forgotten by the way, and no others.
    waiters.believeOpen(['three']);
    expect(waiters.isBelievedOpen('one')).toBe(true);
  });

  it('is nothing any more once it has ended, or was found in another state', () => {
    const waiters = new OperationWaiters();
    waiters.believeOpen(['ended', 'doubted', 'other']);
    waiters.wake('ended');
    waiters.doubtOpen('doubted');
    expect(['ended', 'doubted', 'other'].map((id) => waiters.isBelievedOpen(id))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('the request that opened an operation', () => {
  it('will be waiting as long as its own wait lasts, and no longer once it has left', async () => {
    const waiters = new OperationWaiters();
    const leave = waiters.openerWaits('one', performance.now() + 5_000);
    expect([waiters.willOpenerWait('one', 4_999), waiters.willOpenerWait('one', 5_000)]).toEqual([
      true,
      false,
    ]);
    await pass(4_000);
    expect([waiters.willOpenerWait('one', 999), waiters.willOpenerWait('one', 1_000)]).toEqual([true, false]);
    expect(waiters.willOpenerWait('other', 0)).toBe(false);
    leave();
    expect(waiters.willOpenerWait('one', 0)).toBe(false);
  });
});
