import type { Task } from '@tds/contracts';
import { createSemaphore, type Semaphore } from '../async/semaphore.ts';
import { BACKGROUND, INTERACTIVE, type Priority } from './new-task.ts';

/** The slots of a worker pool. */
export type SlotsByPriority = Pick<Semaphore, 'whenFree' | 'whenIdle'> & {
  /** Free for this priority, or at all. */
  free(priority?: Priority): number;
  /** Takes a slot and answers what gives it back. */
  take(priority: Priority): () => void;
};

/**
 * Background work takes so many slots at most, and leaves none but one of its own idle: so what somebody waits for always
 * finds a slot that background work cannot have, and never keeps background work from going on.
 */
export const slotsByPriority = ({ wireName, concurrency, backgroundConcurrency }: Task): SlotsByPriority => {
  const all = createSemaphore(concurrency);
  if (backgroundConcurrency === undefined) return { ...all, free: () => all.free() };
  if (backgroundConcurrency < 1 || backgroundConcurrency >= concurrency)
    throw new Error(`${wireName}: backgroundConcurrency must be at least 1 and less than concurrency`);
  const byPriority = {
    [INTERACTIVE]: createSemaphore(concurrency - 1),
    [BACKGROUND]: createSemaphore(backgroundConcurrency),
  };
  return {
    whenFree: all.whenFree,
    whenIdle: all.whenIdle,
    free: (priority) =>
      priority === undefined ? all.free() : Math.min(all.free(), byPriority[priority].free()),
    take: (priority) => {
      const leave = [all.take(), byPriority[priority].take()];
      return () => {
        for (const one of leave) one();
      };
    },
  };
};
