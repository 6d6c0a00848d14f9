import type { ColdPools } from '../application/cold-pool.ts';
import type { PoolName } from '../domain/cold-caps.ts';

/** Shared pools with so many permits, without a table. */
export const poolsWith = (permits: Record<PoolName, number>) => {
  const left = { ...permits };
  const days = new Set<string>();
  const open = (name: PoolName) => ({
    take: async (day: string) => {
      days.add(day);
      if (left[name] === 0) return false;
      left[name] -= 1;
      return true;
    },
    giveBack: async (_day: string, permits: number) => {
      left[name] += permits;
    },
    close: async () => {},
  });
  const pools: ColdPools = { free: open('free'), global: open('global') };
  return { pools, left: left as Readonly<Record<PoolName, number>>, days };
};
