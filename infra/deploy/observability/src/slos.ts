import { type Alert, type Example, steady } from './alert.ts';

/** Selects what happened in a window, such as `5m`. */
type InWindow = (window: string) => string;

type Slo = {
  /** `cached-read` */
  readonly name: string;
  /** The least share of good events over 30 days. */
  readonly objective: number;
  readonly promise: string;
  readonly bad: InWindow;
  readonly total: InWindow;
  /** With these series the budget burns fifteen times too fast; with `rests` it does not burn. */
  readonly examples: readonly Example[];
};

/** Nothing has happened where there is no such series yet. */
const count =
  (selector: string): InWindow =>
  (window) =>
    `(sum(increase(${selector}[${window}])) or vector(0))`;
const plus =
  (...terms: readonly InWindow[]): InWindow =>
  (window) =>
    terms.map((term) => term(window)).join(' + ');
const minus =
  (from: InWindow, what: InWindow): InWindow =>
  (window) =>
    `(${from(window)} - ${what(window)})`;

/** Prometheus writes the bounds of buckets as 10.0 since its release 3, and as 10 before. */
const WITHIN_TEN_SECONDS = 'le=~"10|10[.]0"';

const http = 'tds_http_request_duration_seconds';
const read = 'route="getTranscript"';
const hits = count(`${http}_count{${read},cache="HIT"}`);
const quickHits = count(`${http}_bucket{${read},cache="HIT",le="0.025"}`);

const misses = count(`${http}_count{${read},cache="MISS",status="200"}`);
const quickMisses = count(`${http}_bucket{${read},cache="MISS",status="200",${WITHIN_TEN_SECONDS}}`);
/** Polls that are pending answer within ten seconds; only the first 202 of an operation takes longer. */
const handOffs = minus(
  count(`${http}_count{${read},status="202"}`),
  count(`${http}_bucket{${read},status="202",${WITHIN_TEN_SECONDS}}`),
);
const failures = count(`${http}_count{${read},status=~"5.."}`);

const rows = 'tds_job_rows_total';
const deliveries = count('tds_delivery_lag_seconds_count');
const lateDeliveries = minus(deliveries, count(`tds_delivery_lag_seconds_bucket{${WITHIN_TEN_SECONDS}}`));

const example = (series: string, fires: string, rests: string): Example => ({ series, fires, rests });
const gone = steady(0, 120);

const slos: readonly Slo[] = [
  {
    name: 'cached-read',
    objective: 0.999,
    promise: 'A cached transcript is answered within 25 ms',
    bad: minus(hits, quickHits),
    total: hits,
    examples: [
      example(`${http}_bucket{${read},cache="HIT",le="0.025"}`, '0+95x120', '0+100x120'),
      example(`${http}_count{${read},cache="HIT"}`, '0+100x120', '0+100x120'),
    ],
  },
  {
    name: 'cold-read',
    objective: 0.98,
    promise:
      'A transcript that had to be fetched is delivered within 10 s; what the video itself refuses counts for nothing',
    bad: plus(failures, handOffs, minus(misses, quickMisses)),
    total: plus(failures, handOffs, misses),
    examples: [
      example(`${http}_bucket{${read},cache="MISS",status="200",le="10.0"}`, '0+10x120', '0+20x120'),
      example(`${http}_count{${read},cache="MISS",status="200"}`, '0+15x120', '0+20x120'),
      example(`${http}_count{${read},status="202"}`, '0+5x120', '0+40x120'),
      example(`${http}_bucket{${read},status="202",le="10"}`, gone, '0+40x120'),
      example(`${http}_count{${read},status="502"}`, '0+2x120', gone),
    ],
  },
  {
    name: 'job',
    objective: 0.99,
    promise: 'A row of a job is delivered, or refused by what the video is; it does not fail',
    bad: count(`${rows}{outcome="failed"}`),
    total: count(rows),
    examples: [
      example(`${rows}{outcome="failed"}`, '0+20x120', gone),
      example(`${rows}{outcome="delivered"}`, '0+80x120', '0+100x120'),
      example(`${rows}{outcome="refused"}`, gone, '0+30x120'),
    ],
  },
  {
    name: 'delivery',
    objective: 0.999,
    promise: 'A webhook leaves within 10 s of when it may; what its receiver makes of it counts for nothing',
    bad: lateDeliveries,
    total: deliveries,
    examples: [
      example('tds_delivery_lag_seconds_bucket{le="10.0"}', '0+95x120', '0+100x120'),
      example('tds_delivery_lag_seconds_count', '0+100x120', '0+100x120'),
    ],
  },
];

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
const MIN_EVENTS = 20;

type Recording = {
  readonly record: string;
  readonly expr: string;
  readonly labels: { readonly slo: string };
};

const windows = [...new Set(burns.flatMap(({ long, short }) => [short, long]))];
const ratio = (window: string): string => `slo:error_ratio:${window}`;
const events = (window: string): string => `slo:events:${window}`;

const buildRecordings = ({ name, bad, total }: Slo): Recording[] =>
  windows.flatMap((window) => [
    { record: events(window), expr: total(window), labels: { slo: name } },
    {
      record: ratio(window),
      expr: `(${bad(window)}) / ((${total(window)}) > 0)`,
      labels: { slo: name },
    },
  ]);

export const recordings: readonly Recording[] = slos.flatMap(buildRecordings);

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const buildAlert = ({ name, objective, promise, examples }: Slo, burn: (typeof burns)[number]): Alert => {
  const slo = `{slo="${name}"}`;
  const limit = Number((burn.factor * (1 - objective)).toFixed(6));
  const burning = [burn.long, burn.short].map((window) => `${ratio(window)}${slo} > ${limit}`);
  return {
    name: `${pascal(name)}BurnsBudget`,
    severity: burn.severity,
    summary: `The error budget is used up too fast: ${promise}`,
    expr: [...burning, `${events(burn.long)}${slo} >= ${MIN_EVENTS}`].join(' and '),
    for: '2m',
    examples,
    labels: { slo: name, window: burn.long },
    at: '90m',
  };
};

/** For each objective, and each window. */
export const burnAlerts: readonly Alert[] = slos.flatMap((slo) => burns.map((burn) => buildAlert(slo, burn)));
