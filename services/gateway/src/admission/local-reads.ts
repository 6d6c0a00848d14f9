import { LRUCache } from 'lru-cache';

const REMEMBERED_KEYS = 10_000;

/** Cache reads of keys on a UTC day. */
export type LocalReads = {
  /** False, and not counted, beyond the most. */
  count(keyDigest: string, day: string, most: number): boolean;
  giveBack(keyDigest: string, day: string): void;
};

/** Cache reads while Redis is away: each process counts what it sees, for reads have to go on. */
export const createLocalReads = (): LocalReads => {
  const counts = new LRUCache<string, { day: string; count: number }>({ max: REMEMBERED_KEYS });
  const countOf = (keyDigest: string, day: string): number => {
    const known = counts.get(keyDigest);
    return known?.day === day ? known.count : 0;
  };
  return {
    count(keyDigest, day, most) {
      const count = countOf(keyDigest, day);
      if (count >= most) return false;
      counts.set(keyDigest, { day, count: count + 1 });
      return true;
    },
    giveBack(keyDigest, day) {
      const count = countOf(keyDigest, day);
      if (count > 0) counts.set(keyDigest, { day, count: count - 1 });
    },
  };
};
