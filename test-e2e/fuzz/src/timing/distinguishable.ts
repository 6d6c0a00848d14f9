/** Milliseconds of two kinds of calls, measured in turns. */
export type Timings = {
  readonly name: string;
  readonly left: readonly number[];
  readonly right: readonly number[];
};

export type Result = {
  readonly name: string;
  readonly samples: number;
  readonly leftMs: number;
  readonly rightMs: number;
  /** Standard deviations that the sum of ranks lies from where it would be if both were the same. */
  readonly z: number;
  readonly isToldApart: boolean;
};

/** One false alarm in a hundred thousand comparisons. */
const SURE_Z = 4.5;
/** What a median differs by must also be worth something: on a busy machine nothing is equal. */
const WORTH_MS = 0.5;
const WORTH_SHARE = 0.1;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
};

/** Mann-Whitney's U as a normal deviate: asks only for ranks, so a hiccup of a second weighs no more than any other. */
const rankDeviate = (left: readonly number[], right: readonly number[]): number => {
  const all = [...left.map((ms) => ({ ms, isLeft: true })), ...right.map((ms) => ({ ms, isLeft: false }))];
  all.sort((a, b) => a.ms - b.ms);
  const ranks = all.reduce((sum, { isLeft }, index) => sum + (isLeft ? index + 1 : 0), 0);
  const [n, m] = [left.length, right.length];
  const u = ranks - (n * (n + 1)) / 2;
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
};

/** Whether a caller who measures that often can distinguish the two kinds of calls by their time. */
export const compareTimings = ({ name, left, right }: Timings): Result => {
  const [leftMs, rightMs] = [median(left), median(right)];
  const z = rankDeviate(left, right);
  const worthMs = Math.max(WORTH_MS, WORTH_SHARE * Math.min(leftMs, rightMs));
  const isToldApart = Math.abs(z) > SURE_Z && Math.abs(leftMs - rightMs) > worthMs;
  return { name, samples: left.length, leftMs, rightMs, z, isToldApart };
};
