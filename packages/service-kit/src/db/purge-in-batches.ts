/** Deletes at most so many rows; answers how many. */
export type Purge = (limit: number) => Promise<number>;

export type PurgeOptions = {
  /** Ends it after the batch in hand. */
  readonly signal: AbortSignal;
  readonly batch?: number;
  readonly forMs?: number;
};

const BATCH = 1_000;
const FOR_MS = 60_000;

/**
 * Deletes what is old in batches that commit, however much has gathered: no statement is long, and what was deleted stays
 * so. `deleteSome` deletes at most `limit` rows in a statement or transaction of its own and answers how many. Ends when
 * there is less than a batch, after `forMs` (a minute) or with the signal; the next run goes on. Resolves to the number
 * of rows.
 */
export const purgeInBatches = async (
  deleteSome: Purge,
  { signal, batch = BATCH, forMs = FOR_MS }: PurgeOptions,
): Promise<number> => {
  const endsAt = performance.now() + forMs;
  let purged = 0;
  for (let last = batch; last >= batch && !signal.aborted && performance.now() < endsAt; purged += last)
    last = await deleteSome(batch);
  return purged;
};

/**
 * One purge after the other, each in batches; resolves to how many rows each has deleted. One that fails keeps none of the others: what failed
 * is thrown after the last of them.
 */
export const purgeEach = async <Name extends string>(
  purges: Readonly<Record<Name, Purge>>,
  options: PurgeOptions,
): Promise<Record<Name, number>> => {
  const purged = {} as Record<Name, number>;
  const failures: Error[] = [];
  for (const [name, purge] of Object.entries<Purge>(purges))
    try {
      purged[name as Name] = await purgeInBatches(purge, options);
    } catch (error) {
      failures.push(new Error(`could not purge ${name}`, { cause: error }));
    }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  return purged;
};
