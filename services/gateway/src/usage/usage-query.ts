import { type ParsedFields, type routes, serviceError } from '@tds/contracts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;

export type UsageQuery = ParsedFields<typeof routes.getUsage.query>;

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/**
 * The UTC days that are asked for, both included. Without `to` until today; without `from` the thirty days that end
 * with `to`. Throws `invalid_usage_range` and `usage_range_too_large`.
 */
export const rangeOf = (
  { from, to }: Partial<Pick<UsageQuery, 'from' | 'to'>>,
  now: Date,
): { from: string; to: string } => {
  const last = to === undefined ? Math.floor(now.getTime() / DAY_MS) : dayNumber(to);
  const first = from === undefined ? Math.max(0, last - DEFAULT_DAYS + 1) : dayNumber(from);
  if (first > last) throw serviceError('invalid_usage_range');
  if (last - first + 1 > MOST_DAYS) throw serviceError('usage_range_too_large');
  return { from: dayOf(first), to: dayOf(last) };
};

/** Throws `invalid_usage_format`, or `invalid_ledger_format` for a ledger in anything but JSON. */
export const formatOf = ({ resource, format }: Pick<UsageQuery, 'resource' | 'format'>): 'json' | 'csv' => {
  if (format === 'json') return format;
  if (resource === 'ledger') throw serviceError('invalid_ledger_format');
  if (format === 'csv') return format;
  throw serviceError('invalid_usage_format');
};
