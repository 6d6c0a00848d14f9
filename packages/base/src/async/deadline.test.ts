import { describe, expect, it } from '@jest/globals';
import { createDeadline, remainingMs } from './deadline.ts';

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
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(remainingMs(signal)).toBe(0);
  });

  it('fires with its parent, for the same reason', async () => {
    const parent = new AbortController();
    const { signal } = createDeadline(HOUR_MS, parent.signal);
    parent.abort(new Error('the process ends'));
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
});
