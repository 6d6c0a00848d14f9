import { formatFinding } from '@tds/audit';
import type { Figures } from './figures.ts';

const ms = (value: number | null): string => (value === null ? '-' : `${Math.round(value)}`);
const seconds = (value: number | null): string => (value === null ? '-' : value.toFixed(2));

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'none';

const faultRows = ({ faults }: Figures): string[] =>
  faults.map(
    ({ name, times, kills, p50, p99 }) => `| ${name} | ${times} | ${kills} | ${ms(p50)} | ${ms(p99)} |`,
  );

const facts = (figures: Figures): readonly (readonly [string, string])[] => {
  const { calls, tasks, outboxLag, crashPoints } = figures;
  return [
    ['length', `${figures.minutes.toFixed(1)} minutes`],
    ['kills', `${figures.kills}`],
    [
      'crash points reached',
      `${crashPoints.reached} of ${crashPoints.tried}${crashPoints.notReached.length > 0 ? ` (not: ${crashPoints.notReached.join(', ')})` : ''}`,
    ],
    [
      'calls',
      `${calls.ok} acknowledged, ${calls.failed} refused or failed, ${calls.unknown} without an answer`,
    ],
    ['calls without an answer became', listed(figures.resolvedTo)],
    ['acknowledged', listed(figures.acknowledged)],
    ['answers of 5xx', listed(figures.serverErrors)],
    [
      'failures whose work another answer was charged for, and charges released after a 5xx',
      `${figures.failuresPaidByOthers}, ${figures.refunds}`,
    ],
    ['cached reads while others were down', `${figures.cachedReadsDuringFaults}`],
    ['times Redis was late by itself or by a fault, so that cached reads were excused', `${figures.lateRedis}`],
    ['revocations followed beyond the bound', `${figures.revocations}`],
    ['acknowledged events that power cuts took from the broker', `${figures.lostByBroker} or more`],
    ['faults that could not be made', figures.impossible.join(', ') || 'none'],
    ['late writes refused by fencing', `${figures.fencings}`],
    [
      'outbox lag sampled every 5 s; what a broker lost counts from its first saving',
      `p50 ${seconds(outboxLag.p50)} s, p99 ${seconds(outboxLag.p99)} s, most ${seconds(outboxLag.most)} s`,
    ],
    [
      'tasks',
      `${tasks.all}, ${tasks.retried} retried or taken over from a lost worker, ${tasks.dead} given up`,
    ],
    ['dead letters', `${figures.deadLetters}`],
    ['operations, ledger entries, seals', `${figures.operations}, ${figures.entries}, ${figures.seals}`],
    ['searches, listings', `${figures.searches}, ${figures.listings}`],
    ['purchases, of which refills', `${figures.purchases}, ${figures.refills}`],
    ['messages at receivers', listed(figures.receiverMessages)],
    ['mails of the monitor that people chose', listed(figures.monitorMails)],
    ['new videos of watched channels', `${figures.newVideos}`],
    ['at rest after the last fault', `${ms(figures.quietAfterMs)} ms`],
    ['largest memory (MiB)', listed(figures.memoryMiB)],
    ['breaches', `${figures.findings.length}`],
  ];
};

export const sayFigures = (figures: Figures): string =>
  [
    ...facts(figures).map(([name, value]) => `${name}: ${value}`),
    'fault | times | kills | recovery p50 ms | p99 ms',
    ...faultRows(figures),
  ].join('\n');

const MAX_SHOWN = 12;

/** The first ones; the command itself prints all. */
const shownFindings = ({ findings }: Figures): string[] => {
  if (findings.length === 0) return [];
  const more = findings.length - MAX_SHOWN;
  const rest = more > 0 ? [`... and ${more} more`] : [];
  return ['', '```', ...findings.slice(0, MAX_SHOWN).map(formatFinding), ...rest, '```'];
};

/** One run as a section of Markdown. */
const sectionOf = (figures: Figures): string =>
  [
    `### Seed ${figures.seed}`,
    '',
    '| | |',
    '|---|---|',
    ...facts(figures).map(([name, value]) => `| ${name} | ${value} |`),
    '',
    'Recovery is the time from the last blow to the first success of whatever needs what was hit.',
    '',
    '| fault | times | kills | recovery p50 (ms) | p99 (ms) |',
    '|---|---|---|---|---|',
    ...faultRows(figures),
    ...shownFindings(figures),
    '',
  ].join('\n');

const BEGIN = '<!-- runs: written by npm run test:chaos -- --report -->';

/** The document with this run's section in the place of the last one's. */
export const withReport = (document: string, figures: Figures): string => {
  const [head = ''] = document.split(BEGIN);
  return `${head.trimEnd()}\n\n${BEGIN}\n\n${sectionOf(figures)}`;
};
