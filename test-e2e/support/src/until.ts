import { setTimeout as delay } from 'node:timers/promises';

export const sleep = (ms: number): Promise<void> => delay(ms);

/** Repeats `act` every `everyMs` until `isDone` or the time is over; resolves to whether it was done. */
export const until = async (
  isDone: () => boolean | Promise<boolean>,
  { withinMs, everyMs, act }: { withinMs: number; everyMs: number; act?: () => void },
): Promise<boolean> => {
  const deadline = performance.now() + withinMs;
  while (!(await isDone())) {
    if (performance.now() > deadline) return false;
    act?.();
    await delay(everyMs);
  }
  return true;
};
