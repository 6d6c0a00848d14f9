import { LRUCache } from 'lru-cache';

const REMEMBERED_KEYS = 10_000;

/** Cache reads of keys on a UTC day. */
export type LocalReads = {
  /** False, and not counted, beyond the most. */
  count(reader: string, day: string, most: number): boolean;
  giveBack(reader: string, day: string): void;
};

/** Cache reads while Redis is away: each process counts what it sees, for reads have to go on. */
export const createLocalReads = (): LocalReads => {
  const counts = new LRUCache<string, { day: string; count: number }>({ max: REMEMBERED_KEYS });
  const countOf = (reader: string, day: string): number => {
    const known = counts.get(reader);
    return known?.day === day ? known.count : 0;
  };
  return {
    count(reader, day, most) {
      const count = countOf(reader, day);
      if (count >= most) return false;
      counts.set(reader, { day, count: count + 1 });
      return true;
    },
    giveBack(reader, day) {
      const count = countOf(reader, day);
      if (count > 0) counts.set(reader, { day, count: count - 1 });
    },
  };
};
