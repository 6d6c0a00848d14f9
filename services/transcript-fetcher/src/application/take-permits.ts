import type { PoolName } from '../domain/cold-caps.ts';
import type { ColdPools } from './cold-pool.ts';

export type Permits = {
  readonly count: number;
  /** The pool that had fewer than were wanted. */
  readonly missing: PoolName | null;
  /** Returns so many of them, at most those that were not returned before. */
  giveBack(unused: number): Promise<void>;
};

/** Up to `wanted` permits, each of all these pools. */
export async function takePermits(
  pools: ColdPools,
  names: readonly PoolName[],
  wanted: number,
  day: string,
): Promise<Permits> {
  const giveBackTo = async (of: readonly PoolName[], count: number) => {
    if (count > 0) for (const name of of) await pools[name].giveBack(day, count);
  };
  let count = wanted;
  let missing: PoolName | null = null;
  for (const [index, name] of names.entries()) {
    let taken = 0;
    while (taken < count && (await pools[name].take(day))) taken += 1;
    if (taken < count) missing = name;
    await giveBackTo(names.slice(0, index), count - taken);
    count = taken;
  }
  let held = count;
  const giveBack = async (unused: number) => {
    const returned = Math.min(unused, held);
    held -= returned;
    await giveBackTo(names, returned);
  };
  return { count, missing, giveBack };
}
