/**
 * Handles every page that `find` returns after the last row of the page before (null: at the beginning). A row that
 * fails does not stop the others, and is retried by the next walk only. Ends with the signal. Throws the failures
 * at the end.
 */
export async function walk<Row>(
  find: (after: Row | null) => Promise<readonly Row[]>,
  work: (page: readonly Row[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (let after: Row | null | undefined = null; after !== undefined && !signal.aborted; ) {
    const page: readonly Row[] = await find(after);
    if (page.length > 0) await work(page).catch((error: unknown) => failures.push(error));
    after = page.at(-1);
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} pages of a walk failed`);
}

/** One by one: each fails for itself. */
export const each =
  <Row>(work: (row: Row) => Promise<void>) =>
  async (page: readonly Row[]): Promise<void> => {
    const failures: unknown[] = [];
    for (const row of page) await work(row).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of a page failed`);
  };

/** Runs independent walks side by side: each ends, even if others fail. */
export const walkAll = async (walks: readonly Promise<void>[]): Promise<void> => {
  const results = await Promise.allSettled(walks);
  const failures = results.flatMap((walk) => (walk.status === 'rejected' ? [walk.reason] : []));
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} walks failed`);
  if (failures.length === 1) throw failures[0];
};
