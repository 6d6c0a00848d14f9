import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TimeLimit, TimeLimitExceeded, withinTimeLimit } from './deadline.ts';

const limited = { timeLimitMs: 6_000, leaseMs: 3_000 };
const never = new AbortController().signal;

describe('an attempt with a time limit', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Hangs whatever its signal says. */
  const hanging = (task: TimeLimit) => {
    const seen: { signal?: AbortSignal; outcome?: unknown } = {};
    const run = (signal: AbortSignal) => {
      seen.signal = signal;
      return new Promise<void>(() => {});
    };
    withinTimeLimit(task, never, run).catch((error: unknown) => {
      seen.outcome = error;
    });
    return seen;
  };

  it('gets a signal when its time is over, and is given up a third of a lease later', async () => {
    const seen = hanging(limited);
    await jest.advanceTimersByTimeAsync(5_999);
    expect(seen.signal?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(seen.signal?.reason).toBeInstanceOf(TimeLimitExceeded);
    expect(seen.outcome).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(seen.outcome).toBeInstanceOf(TimeLimitExceeded);
    expect(String(seen.outcome)).toContain('longer than 6000 ms');
  });

  it('that ends in the grace after its signal ends as it says', async () => {
    const failing = withinTimeLimit(
      limited,
      never,
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cleaned up')))),
    );
    const outcome = expect(failing).rejects.toThrow('cleaned up');
    await jest.advanceTimersByTimeAsync(6_000);
    await outcome;
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each(['succeeds', 'fails'])('that %s in time leaves no timer behind', async (end) => {
    const run = async () => {
      if (end === 'fails') throw new Error('no luck');
    };
    await withinTimeLimit(limited, never, run).catch(() => {});
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sees the end of its process, too, for its own reason', () => {
    const ending = new AbortController();
    let seen: AbortSignal | undefined;
    void withinTimeLimit(limited, ending.signal, async (signal) => {
      seen = signal;
    });
    ending.abort(new Error('the process ends'));
    expect(seen?.reason).toMatchObject({ message: 'the process ends' });
  });

  it('has none if its contract gives none', async () => {
    const seen = hanging({ timeLimitMs: null, leaseMs: 3_000 });
    await jest.advanceTimersByTimeAsync(24 * 3_600_000);
    expect([seen.signal, seen.outcome]).toEqual([never, undefined]);
  });
});
