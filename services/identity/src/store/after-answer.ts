import { createSemaphore, nextTurn } from '@tds/base';

/** Starts work after the answer is sent. */
export type AfterAnswer = (work: () => Promise<unknown>) => void;

/** Reports failures of work after answers to `onError`; `drain` waits for all of it. */
export const createAfterAnswer = (
  onError: (error: unknown) => void,
): { run: AfterAnswer; drain: () => Promise<void> } => {
  const running = createSemaphore(Number.POSITIVE_INFINITY);
  return {
    run: (work) => void running.run(() => nextTurn().then(work).catch(onError)),
    drain: running.whenIdle,
  };
};
