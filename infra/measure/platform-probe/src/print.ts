import { adviceFor } from './advice.ts';
import type { ExitReport, FindingReport, PairReport, ProbeReport, RequestReport } from './report.ts';

/** Columns as wide as their longest cell. */
const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const requestCells = (request: RequestReport | null): readonly string[] => {
  if (request === null) return ['-', '-', '-'];
  const { status, outcome, ms, bytes } = request;
  return [`${status ?? '-'} ${outcome}`, `${ms}`, `${bytes}`];
};

const tokenWord = ({ isGated, usedToken }: PairReport): string => {
  if (usedToken) return 'used';
  return isGated ? 'missing' : 'not needed';
};

const pairRow = (pair: PairReport): readonly string[] => [
  pair.exit,
  pair.address,
  pair.strategy,
  pair.video,
  ...requestCells(pair.player),
  `${pair.tracks ?? '-'}`,
  ...requestCells(pair.captions),
  pair.isGated ? 'yes' : 'no',
  tokenWord(pair),
  pair.code ?? 'delivered',
];

const PAIR_HEAD = [
  ...['EXIT', 'ADDRESS', 'STRATEGY', 'VIDEO', 'PLAYER', 'MS', 'BYTES', 'TRACKS'],
  ...['CAPTIONS', 'MS', 'BYTES', 'GATED', 'TOKEN', 'RESULT'],
];

const exitRow = ({ exit, address, problem, ms, clockAheadSeconds }: ExitReport): readonly string[] => [
  exit,
  address,
  problem ?? 'answers',
  `${ms}`,
  clockAheadSeconds === null ? '-' : `${clockAheadSeconds} s`,
];

const findingRow = ({ exit, kind, code, items }: FindingReport): readonly string[] => [
  exit,
  kind,
  code ?? 'read',
  `${items}`,
];

/** The report as tables, and the advice that follows from it. */
export const printReport = (report: ProbeReport): string =>
  [
    `${report.origin}; token provider: ${report.tokenProvider.version ?? report.tokenProvider.state}`,
    table([['EXIT', 'ADDRESS', 'PLATFORM', 'MS', 'CLOCK AHEAD'], ...report.exits.map(exitRow)]),
    ...(report.pairs.length === 0 ? [] : [table([PAIR_HEAD, ...report.pairs.map(pairRow)])]),
    ...(report.findings.length === 0
      ? []
      : [table([['EXIT', 'LIST', 'RESULT', 'ITEMS'], ...report.findings.map(findingRow)])]),
    adviceFor(report).join('\n'),
  ].join('\n\n');
