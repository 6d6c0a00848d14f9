import { describe, expect, it } from '@jest/globals';
import { createBackoff, pauseFor, retry } from './backoff.ts';

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
    expect(backoff.nextMs()).toBe(200);
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

describe('a retry', () => {
  const transient = new Error('away');
  const options = { isTransient: (error: unknown) => error === transient, retries: 2, firstMs: 1 };

  /** Fails so often, and counts the attempts. */
  const failing = (times: number, error = transient) => {
    const seen = { attempts: 0 };
    const work = async () => {
      seen.attempts += 1;
      if (seen.attempts <= times) throw error;
      return 'done';
    };
    return { seen, work };
  };

  it('repeats work while its failure is transient', async () => {
    const { work } = failing(2);
    expect(await retry(work, options)).toBe('done');
  });

  it('throws the last failure when no attempt is left, and any other one at once', async () => {
    const away = failing(9);
    await expect(retry(away.work, options)).rejects.toBe(transient);
    expect(away.seen.attempts).toBe(3);
    const wrong = failing(9, new Error('wrong'));
    await expect(retry(wrong.work, options)).rejects.toThrow('wrong');
    expect(wrong.seen.attempts).toBe(1);
  });

  it('begins no attempt after its signal has fired', async () => {
    const leaving = new AbortController();
    const { seen, work } = failing(9);
    const hourly = { ...options, firstMs: 3_600_000, signal: leaving.signal };
    const failed = expect(retry(work, hourly)).rejects.toBe(transient);
    leaving.abort();
    await failed;
    expect(seen.attempts).toBe(1);
  });
});
