import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { retryThenSplit } from './batch.ts';

const transient = new Error('deadlock');
const failures = { isTransient: (error: unknown) => error === transient, giveUp: () => 'given up' };

/** Fails `times` with a transient failure, then answers. */
const failing = (times: number) => {
  const calls: (readonly number[])[] = [];
  const call = async (items: readonly number[]) => {
    calls.push(items);
    if (calls.length <= times) throw transient;
    return items.map((item) => item * 10);
  };
  return { calls, call };
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('retryThenSplit', () => {
  it('calls again after a transient failure, with pauses that double', async () => {
    const { call, calls } = failing(4);
    const results = retryThenSplit(call, failures)([1, 2]);
    // Each pause is between half of it and all of it: 50, 100, 200, 400 ms.
    const callsAfter = async (ms: number) => {
      await jest.advanceTimersByTimeAsync(ms);
      return calls.length;
    };
    expect(await callsAfter(24)).toBe(1);
    expect(await callsAfter(26)).toBe(2);
    expect(await callsAfter(24)).toBe(2);
    expect(await callsAfter(76)).toBe(3);
    expect(await callsAfter(24)).toBe(3);
    expect(await callsAfter(176)).toBe(4);
    expect(await callsAfter(24)).toBe(4);
    expect(await callsAfter(376)).toBe(5);
    expect(await results).toEqual([10, 20].map((value) => ({ status: 'fulfilled', value })));
  });

  it('gives up after five calls', async () => {
    const { call, calls } = failing(100);
    const results = retryThenSplit(call, failures)([1, 2]);
    await jest.runAllTimersAsync();
    expect(await results).toEqual([1, 2].map(() => ({ status: 'rejected', reason: 'given up' })));
    expect(calls).toHaveLength(5);
  });

  it('finds the one item that cannot be done and does the others', async () => {
    const bad = new Error('bad');
    const call = async (items: readonly number[]) => {
      if (items.includes(2)) throw bad;
      return items.map((item) => item * 10);
    };
    expect(await retryThenSplit(call, failures)([1, 2, 3])).toEqual([
      { status: 'fulfilled', value: 10 },
      { status: 'rejected', reason: bad },
      { status: 'fulfilled', value: 30 },
    ]);
  });
});
