import { describe, expect, it } from '@jest/globals';
import { createWakeSignal } from './wake-signal.ts';

const LONG_MS = 3_600_000;

describe('a wait for a wake signal', () => {
  it('ends at once when it is woken', async () => {
    const signal = createWakeSignal();
    const waiting = signal.wait(LONG_MS);
    signal.wake();
    await waiting;
  });

  it('does not begin when it was woken while nobody waited, however often; the next one does', async () => {
    const signal = createWakeSignal();
    signal.wake();
    signal.wake();
    await signal.wait(LONG_MS);
    let isOver = false;
    const next = signal.wait(LONG_MS).then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    signal.wake();
    await next;
  });

  it('ends by itself after its time', async () => {
    const startedAt = performance.now();
    await createWakeSignal().wait(30);
    expect(performance.now() - startedAt).toBeGreaterThan(25);
  });
});
