import { defaults, figures, assumptions as given } from './figures.ts';

const DAY = 86_400;
const MICRO = 1e-6;
const MILLI = 1e-3;
const KB_PER_GB = 1e6;
const BYTES_PER_GB = 1e9;
const BYTES_PER_MIB = 1_024 ** 2;

/** What customers do: a second at the busiest time, and a day. */
export const loadOf = (customers: number) => {
  const atPeak = (perDay: number): number => (customers * perDay * given.peakOverMean) / DAY;
  return {
    cachedReads: atPeak(given.cachedReadsPerDay),
    coldRows: atPeak(given.coldRowsPerDay),
    webhooks: atPeak(given.webhooksPerDay),
    purchases: atPeak(given.purchasesPerDay),
    streams: customers * given.shareThatStreams,
    coldRowsPerDay: customers * given.coldRowsPerDay,
  };
};

/** Operations a second of one instance on its share of a core. */
export const handled = (micros: number): number => given.busyShareOfCore / (micros * MICRO);

const placesOf = (customers: number): number => loadOf(customers).coldRows * given.secondsOfRow;
const yearOf = (customers: number): number => 365 * loadOf(customers).coldRowsPerDay;
/** Instances, two of each service at least. Nothing assumed says that the others need more. */
export const instancesOf = (customers: number) => {
  const { cachedReads, coldRows, webhooks, streams } = loadOf(customers);
  const some = (wanted: number): number => Math.max(2, Math.ceil(wanted));
  const reading = cachedReads / handled(figures.cachedRead.value);
  return {
    gateways: some(Math.max(reading, streams / defaults.streams)),
    fetchers: some(placesOf(customers) / defaults.places),
    ledgers: some(coldRows / handled(figures.pair.value)),
    dispatchers: some(webhooks / handled(figures.webhook.value)),
    orchestrators: some(coldRows / handled(figures.jobRow.value)),
    others: 2 * 6,
  };
};

const processesOf = (customers: number): number =>
  Object.values(instancesOf(customers)).reduce((total, count) => total + count, 0);

const coresOf = (customers: number): number => {
  const { cachedReads, coldRows, webhooks, purchases } = loadOf(customers);
  const micros = cachedReads * figures.cachedRead.value + webhooks * figures.webhook.value;
  const millis = coldRows * figures.coldRow.value + purchases * figures.purchase.value;
  const resting = (processesOf(customers) / 11) * (figures.idle.value / 100);
  return resting + (micros * MICRO + millis * MILLI) / given.busyShareOfCore;
};

const connectionsOf = (customers: number): number => {
  const { gateways, fetchers } = instancesOf(customers);
  const ofServices = (processesOf(customers) - gateways) * defaults.connectionsOfProcess;
  return ofServices + (gateways + fetchers + 2) * defaults.connectionsToObjects;
};

export type Limit = {
  readonly what: string;
  readonly most: number;
  readonly use: (customers: number) => number;
  readonly then: string;
};
const limit = (what: string, most: number, use: Limit['use'], then: string): Limit => ({
  what,
  most,
  use,
  then,
});

const perDay = (amount: number) => (customers: number) => loadOf(customers).coldRowsPerDay * amount;
const perYear = (amount: number) => (customers: number) => yearOf(customers) * amount;

export const limits: readonly Limit[] = [
  limit('cold fetches a day of all customers', defaults.coldFetchesPerDay, perDay(1), '`globalLimits`'),
  limit('places for rows of jobs', defaults.places, placesOf, '`PLACES_FOR_JOBS`, and proxies'),
  limit(
    'GB of proxies a day, if all is read by them',
    defaults.proxyGigabytesPerDay,
    perDay(figures.answer.value / KB_PER_GB),
    '`PLATFORM_PROXY_BYTES_PER_DAY`',
  ),
  limit(
    'GB of one Postgres with the files of a year',
    given.gigabytesOfPostgres,
    perYear(figures.file.value / KB_PER_GB),
    'a bucket: the component `objects-s3`',
  ),
  limit(
    "MiB of webhook-dispatcher's events, two of each webhook of a job",
    defaults.streamMebibytes,
    (customers) =>
      (customers * given.webhooksPerDay * defaults.streamDays * 2 * figures.event.value) / BYTES_PER_MIB,
    '`EVENTS_MAX_BYTES`, or a smaller `EVENTS_MAX_AGE`',
  ),
  limit('places of six fetchers', defaults.fetchers * defaults.places, placesOf, '`maxReplicaCount`'),
  limit('connections of one Postgres', defaults.connections, connectionsOf, 'three clusters (`ha`)'),
  limit(
    'GB of one Postgres with the entries of a year',
    given.gigabytesOfPostgres,
    perYear(figures.entries.value / BYTES_PER_GB),
    'partitions of accounts',
  ),
  limit('cores of a laptop', 2, coresOf, 'more machines'),
  limit(
    'seconds of a day for the check of the books of a year',
    DAY,
    perYear(figures.books.value * MICRO),
    'the partitions beside each other',
  ),
  limit(
    'progress streams of eight gateways',
    defaults.gateways * defaults.streams,
    (customers) => loadOf(customers).streams,
    '`maxReplicas`',
  ),
  limit(
    "deliveries a second of the ledger's Postgres",
    figures.pairs.value,
    (customers) => loadOf(customers).coldRows,
    'partitions, then regions',
  ),
];

const MAX_CUSTOMERS = 1e12;

/** The number of customers up to which a limit holds. */
export const reachedAt = ({ most, use }: Limit): number => {
  let [holds, fails] = [0, MAX_CUSTOMERS];
  while (fails - holds > 1) {
    const middle = Math.floor((holds + fails) / 2);
    if (use(middle) <= most) holds = middle;
    else fails = middle;
  }
  return holds;
};

/** What that many customers cost in an installation of `ha`. */
export const costOf = (customers: number) => {
  const instances = instancesOf(customers);
  const processes = processesOf(customers);
  const streaming = (loadOf(customers).streams * figures.stream.value) / KB_PER_GB;
  const gigabytes = (processes * figures.process.value) / 1e3 + streaming + given.gigabytesOfServers;
  const cores = coresOf(customers);
  const wanted = [cores / given.coresOfMachine, gigabytes / given.gigabytesOfMachine, 3];
  const machines = Math.ceil(Math.max(...wanted));
  const entriesGb = (yearOf(customers) * figures.entries.value) / BYTES_PER_GB;
  const filesGb = (yearOf(customers) * figures.file.value) / KB_PER_GB;
  return { instances, processes, cores, gigabytes, machines, entriesGb, filesGb };
};
