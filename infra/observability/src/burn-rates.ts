import type { Alert } from './alert.ts';
import { type Slo, slos } from './slos.ts';

/**
 * How fast an error budget of 30 days burns, looked at over a long window, and over a short one so that the alert ends soon after its
 * cause: a fiftieth of it within an hour, a twentieth within six, a tenth within three days.
 */
const burns = [
  { factor: 14.4, long: '1h', short: '5m', severity: 'page' },
  { factor: 6, long: '6h', short: '30m', severity: 'page' },
  { factor: 1, long: '3d', short: '6h', severity: 'ticket' },
] as const;

/** Of fewer, a single failure would be a great part. */
const FEWEST = 20;

type Recording = {
  readonly record: string;
  readonly expr: string;
  readonly labels: { readonly slo: string };
};

const windows = [...new Set(burns.flatMap(({ long, short }) => [short, long]))];
const ratio = (window: string): string => `slo:error_ratio:${window}`;
const events = (window: string): string => `slo:events:${window}`;

const recordingsOf = ({ name, bad, total }: Slo): Recording[] =>
  windows.flatMap((window) => [
    { record: events(window), expr: total(window), labels: { slo: name } },
    {
      record: ratio(window),
      expr: `(${bad(window)}) / ((${total(window)}) > 0)`,
      labels: { slo: name },
    },
  ]);

export const recordings: readonly Recording[] = slos.flatMap(recordingsOf);

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const alertOf = ({ name, objective, promise, examples }: Slo, burn: (typeof burns)[number]): Alert => {
  const slo = `{slo="${name}"}`;
  const limit = Number((burn.factor * (1 - objective)).toFixed(6));
  const burning = [burn.long, burn.short].map((window) => `${ratio(window)}${slo} > ${limit}`);
  return {
    name: `${pascal(name)}BurnsBudget`,
    severity: burn.severity,
    summary: `The error budget is used up too fast: ${promise}`,
    expr: [...burning, `${events(burn.long)}${slo} >= ${FEWEST}`].join(' and '),
    for: '2m',
    examples,
    labels: { slo: name, window: burn.long },
    at: '90m',
  };
};

/** For each objective, and each window. */
export const burnAlerts: readonly Alert[] = slos.flatMap((slo) => burns.map((burn) => alertOf(slo, burn)));
