import { describe, expect, it } from '@jest/globals';
import { createBackoff, pauseFor } from './backoff.ts';

const never = new AbortController().signal;

/** A backoff that does not wait, and the pauses that it would have made. */
const recorded = (random: () => number) => {
  const pauses: number[] = [];
  const wait = async (ms: number) => void pauses.push(ms);
  return { pauses, backoff: createBackoff({ firstMs: 100, maxMs: 1_000, random, wait }) };
};

describe('a backoff', () => {
  it('doubles up to its limit, and begins anew after a success', async () => {
    const { pauses, backoff } = recorded(() => 1);
    for (let failure = 0; failure < 6; failure += 1) await backoff.pause(never);
    backoff.reset();
    await backoff.pause(never);
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 100]);
  });

  it('is shortened by chance, by at most a half', async () => {
    const { pauses, backoff } = recorded(() => 0);
    await backoff.pause(never);
    await backoff.pause(never);
    expect(pauses).toEqual([50, 100]);
  });
});

describe('a pause', () => {
  it('ends quietly with its signal, and at once if that has fired already', async () => {
    const stopping = new AbortController();
    const pausing = pauseFor(3_600_000, stopping.signal);
    stopping.abort();
    await pausing;
    await pauseFor(3_600_000, stopping.signal);
    expect(stopping.signal.aborted).toBe(true);
  });
});
