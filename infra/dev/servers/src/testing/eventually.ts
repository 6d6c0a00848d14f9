export interface Bound {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Repeats `check` until it no longer throws, and resolves to its answer; after `withinMs`, rejects with its last error. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = 120_000, everyMs = 20 }: Bound = {},
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
