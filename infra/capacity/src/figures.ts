import { DAY_MS, globalLimits } from '@tds/contracts';
import { defaultStreamLimits } from '@tds/messaging/internals';

type Figure = {
  readonly value: number;
  readonly of: string;
  readonly run: string;
  /** What docs/benchmarks.md says of it; a test looks it up. */
  readonly says?: string;
};
const LEDGER = '`ledger`, 64 clients, two cores, 2026-11-20';
const BOOKS = 'a full ledger, ten million deliveries, 2026-11-21';

/** What was measured. All else follows from these, from defaults and from assumptions. */
export const figures = {
  cachedRead: { value: 23, of: 'µs of the gateway for a cached read', run: 'cached-read', says: 'of 23 µs' },
  coldRow: { value: 4.2, of: 'ms of CPU for a cold row of a job', run: 'bulk-job', says: 'row | 4.2 ms' },
  growth: { value: 0.93, of: 'of four times one fetcher, with four', run: 'growth', says: '0.93x' },
  jobRow: { value: 1_080, of: 'µs of the orchestrator for a cold row of a job', run: 'bulk-job' },
  search: { value: 10_700, of: 'µs of search for a page that costs a credit', run: 'request-cost' },
  newKey: { value: 2_600, of: 'µs of identity for a key that no gateway has seen', run: 'request-cost' },
  source: { value: 2_540, of: 'µs of the monitor-scheduler for a source that is due', run: 'monitors' },
  zip: { value: 14_600, of: 'µs of the archiver for a ZIP of 500 files', run: 'archive' },
  webhook: { value: 181, of: 'µs of the dispatcher for a webhook', run: 'webhooks', says: '181 µs' },
  purchase: { value: 7.4, of: 'ms of CPU for a purchase', run: 'billing', says: '7.4 ms of CPU' },
  events: { value: 593, of: 'payment events a second', run: 'billing', says: 'second | 593' },
  idle: { value: 11.4, of: '% of a core for eleven processes at rest, at most', run: 'idle', says: '11.4 %' },
  pair: { value: 71, of: 'µs of the ledger for a delivery', run: LEDGER },
  pairs: { value: 4_440, of: 'deliveries a second of one ledger and its Postgres', run: LEDGER },
  entries: { value: 1_500, of: 'bytes of the ledger for a delivery', run: BOOKS },
  books: { value: 32, of: 'µs of CPU for a delivery in the check of the books', run: BOOKS },
  stream: { value: 47, of: 'KB of the gateway for a progress stream', run: '`job-streams`, 2026-11-22' },
  event: { value: 500, of: 'bytes of an event in its stream', run: 'the streams of `chaos`' },
  file: { value: 30, of: 'KB of a rendered transcript', run: 'the files of `archive`' },
  answer: { value: 78, of: 'KB of the platform for a cold row', run: 'record 10' },
  process: { value: 100, of: 'MB of a service after some hundred requests', run: 'operations' },
} as const satisfies Record<string, Figure>;

/** Of an installation that sets nothing. */
export const defaults = {
  coldFetchesPerDay: globalLimits.coldFetchesPerDay,
  places: 24,
  fetchers: 6,
  gateways: 8,
  streams: 10_000,
  streamMebibytes: defaultStreamLimits.maxBytes / 1_024 ** 2,
  streamDays: defaultStreamLimits.maxAgeMs / DAY_MS,
  proxyGigabytesPerDay: 10,
  connections: 500,
  connectionsOfProcess: 14,
  connectionsToObjects: 8,
} as const;

/** What no run says. Put in what an installation sees. */
export const assumptions = {
  laptopCustomers: 10_000,
  cachedReadsPerDay: 20,
  coldRowsPerDay: 2,
  webhooksPerDay: 0.5,
  purchasesPerDay: 1 / 30,
  shareThatStreams: 0.01,
  peakOverMean: 5,
  secondsOfRow: 4.4,
  busyShareOfCore: 0.6,
  gigabytesOfPostgres: 1_000,
  coresOfMachine: 4,
  gigabytesOfMachine: 16,
  /** Nine Postgres, three brokers and two Redis servers, by their limits in the overlay `ha`. */
  gigabytesOfServers: 40,
} as const;
