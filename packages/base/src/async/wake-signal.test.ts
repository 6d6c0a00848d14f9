import { describe, expect, it } from '@jest/globals';
import { createWakeSignal } from './waiting.ts';

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
