import { describe, expect, it, jest } from '@jest/globals';
import { createFailFast } from './call.ts';

const never = new AbortController().signal;

/** A bus whose connection breaks when the test says so. */
const breakingBus = () => {
  const listeners: (() => void)[] = [];
  return {
    bus: { onDisconnect: (listener: () => void) => void listeners.push(listener) } as never,
    disconnect: () => {
      for (const listener of listeners) listener();
    },
  };
};

describe('a request in flight', () => {
  it('answers as the promise does', async () => {
    const { guard } = createFailFast(breakingBus().bus);
    expect(await guard(Promise.resolve(7), never)).toBe(7);
    await expect(guard(Promise.reject(new Error('refused')), never)).rejects.toThrow('refused');
  });

  it('is given up with its signal, also if that has fired before', async () => {
    const { guard } = createFailFast(breakingBus().bus);
    const caller = new AbortController();
    const asked = guard(new Promise(() => {}), caller.signal);
    caller.abort(new Error('the caller went away'));
    await expect(asked).rejects.toThrow('the caller went away');
    await expect(guard(new Promise(() => {}), caller.signal)).rejects.toThrow('the caller went away');
  });

  describe('when the connection breaks', () => {
    it('has two seconds for an answer that was under way, and is given up then', async () => {
      jest.useFakeTimers();
      try {
        const { bus, disconnect } = breakingBus();
        const { guard } = createFailFast(bus);
        const answered = Promise.withResolvers<string>();
        const outcomes: string[] = [];
        const note = (name: string, asked: Promise<unknown>) =>
          asked.then(
            (answer) => void outcomes.push(`${name}: ${answer}`),
            (error: Error) => void outcomes.push(`${name}: ${error.message}`),
          );
        const all = [
          note('first', guard(answered.promise, never)),
          note('second', guard(new Promise(() => {}), never)),
        ];
        disconnect();
        await jest.advanceTimersByTimeAsync(1_900);
        answered.resolve('just in time');
        await jest.advanceTimersByTimeAsync(0);
        expect(outcomes).toEqual(['first: just in time']);
        await jest.advanceTimersByTimeAsync(200);
        await Promise.all(all);
        expect(outcomes.at(1)).toBe('second: the connection to the broker was lost');
      } finally {
        jest.useRealTimers();
      }
    });

    it('is left alone if it was sent after the break', async () => {
      jest.useFakeTimers();
      try {
        const { bus, disconnect } = breakingBus();
        const { guard } = createFailFast(bus);
        disconnect();
        const answered = Promise.withResolvers<string>();
        const asked = guard(answered.promise, never);
        await jest.advanceTimersByTimeAsync(10_000);
        answered.resolve('from the next connection');
        expect(await asked).toBe('from the next connection');
      } finally {
        jest.useRealTimers();
      }
    });
  });
});
