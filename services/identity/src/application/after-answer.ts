/** Starts work after the answer is sent. */
export type AfterAnswer = (work: () => Promise<void>) => void;

/** Reports failures of work after answers to `onError`; `drain` waits for all of it. */
export const createAfterAnswer = (
  onError: (error: unknown) => void,
): { run: AfterAnswer; drain: () => Promise<void> } => {
  const running = new Set<Promise<void>>();
  const run: AfterAnswer = (work) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    running.add(promise);
    setImmediate(() => {
      work()
        .catch(onError)
        .finally(() => {
          running.delete(promise);
          resolve();
        });
    });
  };
  return { run, drain: async () => void (await Promise.all(running)) };
};
