import { LRUCache } from 'lru-cache';

const REMEMBERED_KEYS = 10_000;

/** Counts one cache read of a key on a UTC day; false, and not counted, beyond the most. */
export type LocalReads = (keyDigest: string, day: string, most: number) => boolean;

/** Cache reads while Redis is away: each process counts what it sees, for reads have to go on. */
export const createLocalReads = (): LocalReads => {
  const counts = new LRUCache<string, { day: string; count: number }>({ max: REMEMBERED_KEYS });
  return (keyDigest, day, most) => {
    const before = counts.get(keyDigest);
    const count = before?.day === day ? before.count : 0;
    if (count >= most) return false;
    counts.set(keyDigest, { day, count: count + 1 });
    return true;
  };
};
