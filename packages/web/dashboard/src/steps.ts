const DAY_MS = 86_400_000;

/** A UTC day, YYYY-MM-DD. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const daysBefore = (day: string, days: number): string => dayOf(Date.parse(day) - days * DAY_MS);

/** `charged` counts credits, the others requests and rows that were free. */
export type Day = {
  readonly date: string;
  readonly charged: number;
  readonly cached: number;
  readonly failed: number;
};

type UsageRow = {
  readonly date: string;
  readonly credits_charged: number;
  readonly cache_hits: number;
  readonly failures: number;
};

/** Every day from `from` on, with the sums of all keys. Days without use have no row, and still have a place in time. */
export const daysFrom = (from: string, count: number, rows: readonly UsageRow[]): Day[] =>
  Array.from({ length: count }, (_, index) => {
    const date = daysBefore(from, -index);
    const sum = (name: 'credits_charged' | 'cache_hits' | 'failures') =>
      rows.reduce((total, row) => (row.date === date ? total + row[name] : total), 0);
    return { date, charged: sum('credits_charged'), cached: sum('cache_hits'), failed: sum('failures') };
  });

export const totalOf = ({ charged, cached, failed }: Day): number => charged + cached + failed;

const STEPS = [1, 2, 5, 10];

/** Round numbers of an axis from 0 to at least `largest`: at most `most` steps. */
export const ticksTo = (largest: number, most = 4): number[] => {
  const rough = Math.max(1, largest) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (STEPS.find((one) => one * power >= rough) ?? 10) * power);
  const count = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
};

/** Which of `count` places get a label if each label takes `labelWidth` of `width` pixels; the last one always does. */
export const labelled = (count: number, width: number, labelWidth: number): number[] => {
  const room = Math.max(1, Math.floor(width / labelWidth));
  const every = Math.max(1, Math.ceil(count / room));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => count - 1 - index * every).toReversed();
};
