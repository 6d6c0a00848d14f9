export interface Bound {
  readonly withinMs?: number;
  /** By default ever more rarely: after a tenth of the time that has passed. */
  readonly everyMs?: number;
}

const SOON_MS = 20;
const SELDOM_MS = 100;

/** From 1 to 2: how much longer than a quiet machine this one takes, as `npm test` measures at its start. */
const slowness = (): number => Number(process.env.TDS_TEST_SLOWNESS ?? 2);

/** What hangs is given up after this time, two minutes at most: no claim about speed. */
export const boundMs = (): number => Math.min(90_000 * slowness(), 120_000);

const MAX_CONDITION = 300;

/** With what was waited for, for whom the last error alone says little. */
const withCondition = (error: unknown, check: () => unknown, withinMs: number): unknown => {
  const condition = String(check).replaceAll(/\s+/g, ' ').slice(0, MAX_CONDITION);
  if (error instanceof Error) error.message += `\n\nStill so after ${withinMs / 1_000} s of: ${condition}`;
  return error;
};

/** Repeats `check` until it no longer throws, and resolves to its answer; after `withinMs`, rejects with its last error. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = boundMs(), everyMs }: Bound = {},
): Promise<T> {
  const startedAt = performance.now();
  const deadline = startedAt + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= deadline) throw withCondition(error, check, withinMs);
    }
    const waitMs = everyMs ?? Math.min(Math.max(SOON_MS, (performance.now() - startedAt) / 10), SELDOM_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
