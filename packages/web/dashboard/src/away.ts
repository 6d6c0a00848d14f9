const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const SECOND_MS = 1_000;
const units = [
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Its number in the zone of the browser. */
const dayOf = (date: Date): number =>
  Math.floor((date.getTime() / SECOND_MS - date.getTimezoneOffset() * 60) / 86_400);

/** `tomorrow` is the next day of the calendar, not a day from now. */
export const away = (date: Date, now = new Date()): string => {
  const seconds = (date.getTime() - now.getTime()) / SECOND_MS;
  if (Math.abs(seconds) >= 86_400) return relative.format(dayOf(date) - dayOf(now), 'day');
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return seconds > 0 ? 'within a minute' : 'just now';
};
