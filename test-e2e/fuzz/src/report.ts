import { formatFinding } from '@tds/audit';
import { memoryGrowth } from './check-run.ts';
import type { Breach } from './fire.ts';
import type { FuzzFigures } from './run-fuzz.ts';

const MAX_SHOWN = 400;

const cut = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${text.length})` : text;

/** A breach with all that it takes to see it again. */
export const sayBreach = (seed: number, { index, what, request }: Breach): string =>
  `${what}: --seed ${seed} --only ${index}\n    ${cut(JSON.stringify(request))}`;

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${times} ${name}`)
    .join(', ') || 'none';

const percentile = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0).toFixed(0);

const memory = (figures: FuzzFigures): string => {
  const sizes = figures.samples.map(({ mib }) => mib);
  if (sizes.length === 0) return 'not sampled';
  const growth = memoryGrowth(figures.samples);
  const range = `${Math.min(...sizes).toFixed(0)} to ${Math.max(...sizes).toFixed(0)} MiB`;
  return growth === null ? range : `${range}, ${growth.toFixed(1)} MiB more at the end than after the warm-up`;
};

const facts = (figures: FuzzFigures): readonly (readonly [string, string])[] => {
  const { seen, seconds, findings } = figures;
  const milliseconds = seen.milliseconds;
  return [
    ['requests', `${seen.sent} in ${seconds.toFixed(0)} s`],
    ['answers by status', listed(seen.statuses)],
    ['refusals by code', listed(seen.codes)],
    ['requests by route', listed(seen.routes)],
    [
      'time to the answer',
      `p50 ${percentile(milliseconds, 0.5)} ms, p99 ${percentile(milliseconds, 0.99)} ms, most ${percentile(milliseconds, 1)} ms`,
    ],
    ['memory of the gateway', memory(figures)],
    ['credits reported and charged', `${[...seen.charged.values()].reduce((sum, each) => sum + each, 0)}`],
    ['answers that broke a promise', `${seen.breaches.length}`],
    ['findings afterwards', `${findings.length}`],
  ];
};

export const sayFigures = (figures: FuzzFigures): string =>
  [...facts(figures).map(([name, value]) => `${name}: ${value}`), ...figures.findings.map(formatFinding)].join(
    '\n',
  );

const BEGIN = '<!-- runs: written by npm run test:fuzz -- --report -->';

/** The document with this run's section in the place of the last one's. */
export const withReport = (document: string, figures: FuzzFigures): string => {
  const [head = ''] = document.split(BEGIN);
  const section = [
    `### Seed ${figures.seed}`,
    '',
    '| | |',
    '|---|---|',
    ...facts(figures).map(([name, value]) => `| ${name} | ${value} |`),
    '',
  ];
  return `${head.trimEnd()}\n\n${BEGIN}\n\n${section.join('\n')}`;
};
