/**
 * Does something about every page of what `find` finds after the last row of the page before (null: at the beginning). What
 * cannot be done hides nothing behind it, and is not asked for again before the next walk. Ends with the signal. Throws in
 * the end what has failed on the way.
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

/** Walks side by side that have nothing to do with each other: each comes to its end, whatever becomes of the others. */
export const walkAll = async (walks: readonly Promise<void>[]): Promise<void> => {
  const ended = await Promise.allSettled(walks);
  const failures = ended.flatMap((walk) => (walk.status === 'rejected' ? [walk.reason] : []));
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} walks failed`);
  if (failures.length === 1) throw failures[0];
};
