export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls `condition` every `everyMs` until it holds. Returns false if it does not hold within `withinMs`. */
export const holdsWithin = async (
  withinMs: number,
  condition: () => boolean | Promise<boolean>,
  everyMs = 20,
): Promise<boolean> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > deadline) return false;
    await delay(everyMs);
  }
};
