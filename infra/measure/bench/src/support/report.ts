import { type Benchmark, median, type Outcome, type Row } from '../benchmark.ts';
import type { Facts } from './machine.ts';

export type FinishedBenchmark = { readonly benchmark: Benchmark; readonly outcome: Outcome };

const computeRatios = ({ ours, peer }: Row): number[] =>
  peer ? ours.map((value, round) => value / (peer[round] ?? Number.NaN)) : [...ours];

const findWorst = (figures: readonly number[], goal: Row['goal']): number =>
  goal && 'min' in goal ? Math.min(...figures) : Math.max(...figures);

/** Compared by the median of the rounds; null without a goal. */
export const isMet = (row: Row): boolean | null => {
  const { goal, noise, ours, peer } = row;
  if (!goal) return null;
  if (noise !== undefined && median(ours.map((value, round) => value - (peer?.[round] ?? 0))) <= noise)
    return true;
  const figure = median(computeRatios(row));
  return 'min' in goal ? figure >= goal.min : figure <= goal.max;
};

const format = (value: number): string => {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
};

const formatCells = (row: Row): string[] => {
  const { path, unit, ours, peer, goal } = row;
  const figures = computeRatios(row);
  const times = peer ? 'x' : ` ${unit}`;
  const met = isMet(row);
  const bound = goal && ('min' in goal ? `>= ${goal.min}` : `<= ${goal.max}`);
  return [
    path,
    `${format(median(ours))} ${unit}`,
    peer ? `${format(median(peer))} ${unit}` : '-',
    `${format(median(figures))}${times}`,
    `${format(findWorst(figures, goal))}${times}`,
    bound ? `${bound}${times}` : '-',
    met === null ? '-' : met ? 'met' : '**missed**',
  ];
};

const headings = ['path', 'ours', 'peer', 'median', 'worst', 'goal', ''];
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const rowsAsTable = (rows: readonly Row[]): string =>
  [line(headings), line(headings.map(() => '---')), ...rows.map((row) => line(formatCells(row)))].join('\n');

const formatDetails = ({ benchmark, outcome }: FinishedBenchmark): string => {
  const cpu = outcome.rows.flatMap((row) =>
    row.cpu === undefined ? [] : [`CPU per operation (µs), ${row.path}: ${row.cpu}.`],
  );
  const rounds = outcome.rows.map(
    (row) => `Rounds, ${row.path}: ${computeRatios(row).map(format).join(', ')}.`,
  );
  const items = [...outcome.notes, ...cpu, ...rounds].map((text) => `- ${text}`);
  return [`### ${benchmark.title}`, '', ...items].join('\n');
};

export type Report = {
  readonly facts: Facts;
  readonly rounds: number;
  readonly seconds: number;
  readonly finished: readonly FinishedBenchmark[];
  /** Benchmarks that failed, with the reason. */
  readonly failed: readonly string[];
};

/** The figures of a run, and its machine. */
export const reportText = (report: Report): string => {
  const { facts, rounds, seconds, finished, failed } = report;
  return [
    '## The last run',
    '',
    `${rounds} rounds, ${seconds} s for each side of a round.`,
    '',
    rowsAsTable(finished.flatMap(({ outcome }) => outcome.rows)),
    '',
    ...failed.map((reason) => `- not measured: ${reason}`),
    '### Machine',
    '',
    '| | |',
    '|---|---|',
    ...facts.map(([name, value]) => line([name, value])),
    '',
    ...finished.flatMap((one) => [formatDetails(one), '']),
  ].join('\n');
};
