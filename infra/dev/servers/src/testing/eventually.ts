export interface Bound {
  readonly withinMs?: number;
  /** By default ever more rarely: after a tenth of the time that has passed. */
  readonly everyMs?: number;
}

const SOON_MS = 20;
const SELDOM_MS = 100;

/** Repeats `check` until it no longer throws, and resolves to its answer; after `withinMs`, rejects with its last error. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = 120_000, everyMs }: Bound = {},
): Promise<T> {
  const startedAt = performance.now();
  const deadline = startedAt + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    const waitMs = everyMs ?? Math.min(Math.max(SOON_MS, (performance.now() - startedAt) / 10), SELDOM_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
