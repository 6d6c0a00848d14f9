/** Starts work that the caller does not wait for, once the answer is on its way. */
export type AfterAnswer = (work: () => Promise<void>) => void;

/** Work after answers fails only into `onError`; `drain` waits until none is left. */
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
