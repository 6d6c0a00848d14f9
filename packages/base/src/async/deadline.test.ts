import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  createDeadline,
  DeadlinePassed,
  endsWithin,
  remainingMs,
  type TimeLimit,
  TimeLimitExceeded,
  unlessAborted,
  withDeadline,
  withinTimeLimit,
} from './deadline.ts';

const HOUR_MS = 3_600_000;
const fired = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('a deadline', () => {
  it('fires after its time, as a timeout', async () => {
    const { signal } = createDeadline(20);
    expect(remainingMs(signal)).toBeLessThanOrEqual(20);
    const timer = setTimeout(() => {}, HOUR_MS);
    await fired(signal);
    clearTimeout(timer);
    expect(signal.reason).toBeInstanceOf(DeadlinePassed);
    expect(remainingMs(signal)).toBe(0);
  });

  it('fires with its parent, for the same reason', async () => {
    const parent = new AbortController();
    const deadline = createDeadline(HOUR_MS, parent.signal);
    const { signal } = deadline;
    parent.abort(new Error('the process ends'));
    expect(deadline.hasPassed()).toBe(false);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ message: 'the process ends' });
  });

  it('has fired from the start below a parent that had', () => {
    const { signal } = createDeadline(HOUR_MS, AbortSignal.abort('gone'));
    expect(signal.aborted).toBe(true);
    expect(remainingMs(signal)).toBe(0);
  });

  it('is never later than that of its parent, so that a nested call inherits what is left', () => {
    const outer = createDeadline(1_000);
    const inner = createDeadline(HOUR_MS, outer.signal);
    expect(remainingMs(inner.signal)).toBeLessThanOrEqual(1_000);
    const shorter = createDeadline(10, outer.signal);
    expect(remainingMs(shorter.signal)).toBeLessThanOrEqual(10);
    for (const deadline of [shorter, inner, outer]) deadline.dispose();
  });

  it('that was disposed of fires neither by itself nor with its parent', async () => {
    const parent = new AbortController();
    const { signal, dispose } = createDeadline(10, parent.signal);
    dispose();
    parent.abort();
    // Its timer would have fired before this later one.
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(signal.aborted).toBe(false);
  });

  it('is none for a signal that was made elsewhere', () => {
    expect(remainingMs(new AbortController().signal)).toBe(Number.POSITIVE_INFINITY);
  });

  it('fires for the reason that it is given', async () => {
    const deadline = createDeadline(1, undefined, () => new Error('too late'));
    await fired(deadline.signal);
    expect(deadline.signal.reason).toMatchObject({ message: 'too late' });
    expect(deadline.hasPassed()).toBe(true);
  });
});

const neverEnds = () => new Promise<never>(() => {});

describe('a wait with a deadline', () => {
  it('ends as the work does if that ends in time', async () => {
    expect(await withDeadline(Promise.resolve('answer'), HOUR_MS)).toBe('answer');
    await expect(withDeadline(Promise.reject(new Error('no luck')), HOUR_MS)).rejects.toThrow('no luck');
  });

  it('fails after its time', async () => {
    await expect(withDeadline(neverEnds(), 5)).rejects.toThrow(new DeadlinePassed('no answer within 5 ms'));
  });

  it('reads an answer that has arrived while this process was busy', async () => {
    const answered = withDeadline(new Promise((resolve) => setImmediate(resolve, 'answer')), 5);
    const until = performance.now() + 20;
    while (performance.now() < until);
    expect(await answered).toBe('answer');
  });

  it('says whether the work ended in time, and passes its failure on', async () => {
    expect(await endsWithin(Promise.resolve(), HOUR_MS)).toBe(true);
    expect(await endsWithin(neverEnds(), 5)).toBe(false);
    await expect(endsWithin(Promise.reject(new Error('no luck')), HOUR_MS)).rejects.toThrow('no luck');
  });
});

describe('a wait with a signal', () => {
  it('ends with the work, or when the signal fires', async () => {
    const leaving = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), leaving.signal)).toBe(1);
    const waiting = unlessAborted(neverEnds(), leaving.signal);
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await expect(unlessAborted(Promise.resolve(1), leaving.signal)).rejects.toThrow('left');
  });
});

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
    await jest.advanceTimersByTimeAsync(1_010);
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
    // A connection of a file before this one may set a timer of its own: it is no timer of this run.
    const before = jest.getTimerCount();
    await withinTimeLimit(limited, never, run).catch(() => {});
    expect(jest.getTimerCount()).toBe(before);
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
