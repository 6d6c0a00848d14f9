/** A deterministic 32-bit hash of a text (FNV-1a with a final mix, so that near texts give far numbers). */
export const hashText = (text: string, seed = 0): number => {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mix(hash);
};

/** Spreads every input bit over the output (the finaliser of MurmurHash3). */
export const mix = (value: number): number => {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

export type Random = {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  between(low: number, high: number): number;
  /** True in `share` of a hundred cases. */
  percent(share: number): boolean;
  pick<T>(list: readonly T[]): T;
};

/** A small generator (mulberry32): the same seed gives the same numbers on every machine. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    percent: (share) => below(100) < share,
    pick: <T>(list: readonly T[]): T => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new RangeError('pick from an empty list');
      return picked;
    },
  };
};
