export type DayCredits = { readonly date: string; readonly credits: number; readonly requests: number };

const DAY_MS = 86_400_000;
const MIN_BAR = 10;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of eighths of a character. */
const bar = (share: number, width: number): string => {
  const eighths = Math.round(share * width * 8);
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
};

/** Every day from the first to the last, also those without a row. */
export const everyDay = (days: readonly DayCredits[], from: string, to: string): DayCredits[] => {
  const byDate = new Map(days.map((day) => [day.date, day]));
  const all: DayCredits[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    const date = new Date(time).toISOString().slice(0, 10);
    all.push(byDate.get(date) ?? { date, credits: 0, requests: 0 });
  }
  return all;
};

/** Credits by day, a line for each. The numbers stand beside the bars. */
export const plot = (days: readonly DayCredits[], columns = 80): string => {
  const max = Math.max(1, ...days.map(({ credits }) => credits));
  const digits = String(max).length;
  const width = Math.max(MIN_BAR, columns - digits - 34);
  const lines = days.map(
    ({ date, credits, requests }) =>
      `${date}  ${String(credits).padStart(digits)} ${bar(credits / max, width).padEnd(width)} ${requests} requests`,
  );
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  return [...lines, `${total} credits in ${days.length} days (UTC)`].join('\n');
};
