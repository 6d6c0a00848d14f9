import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Numbers that look random and are the same for the same seed. */
export type Random = {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [from, to]. */
  between(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
};

export const createRandom = (seed: number): Random => {
  const generator = xoroshiro128plus(seed);
  const between = (from: number, to: number): number => uniformInt(generator, from, to);
  return {
    next: () => uniformFloat64(generator),
    between,
    pick: <T>(items: readonly T[]): T => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    shuffled: <T>(items: readonly T[]): T[] => {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const other = between(0, last);
        [result[last], result[other]] = [result[other] as T, result[last] as T];
      }
      return result;
    },
  };
};
