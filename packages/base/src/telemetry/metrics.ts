import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withDeadline } from '../async/deadline.ts';
import { createSingleFlight } from '../async/single-flight.ts';

type Definition<Label extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
};

const COLLECT_TIMEOUT_MS = 2_000;

/** A value that is read at a scrape, and costs nothing in between. */
type Collector = {
  /** Empty after a failure, so that an old value is not taken for a new one. */
  readonly sets: readonly { reset(): void }[];
  readonly collect: () => Promise<void> | void;
};

/** Each collector runs once at a time, however many scrapes ask. One that fails or hangs does not delay the others. */
export const createCollectors = (timeoutMs = COLLECT_TIMEOUT_MS) => {
  const runs: (() => Promise<void>)[] = [];
  return {
    add: ({ sets, collect }: Collector): void => {
      const flight = createSingleFlight<void>();
      runs.push(async () => {
        const collection = flight('collect', () => Promise.try(collect));
        // An alert notices the missing value; users of an absent server report it.
        await withDeadline(collection, timeoutMs).catch(() => {
          for (const gauge of sets) gauge.reset();
        });
      });
    },
    run: async (): Promise<void> => void (await Promise.all(runs.map((run) => run()))),
  };
};

/** Shorter blocks are not counted. */
const RESOLUTION_MS = 20;
/** Covers the time since the previous scrape; a shorter block is not worth reporting. */
const IDLE_SHARE = 0.01;
const NANOS_PER_SECOND = 1e9;
const NEVER_MS = 2 ** 31 - 1;

/** Two scrapes. */
const MEASURED_MS = 30_000;

/**
 * The longest block of the event loop since the scrape before. Its timer wakes the process fifty times a second, so it runs
 * only in a process that has worked between two scrapes, and stops by itself when the scrapes stop.
 */
const measureEventLoopLag = (registry: Registry, measuredMs: number): void => {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const stopping = setTimeout(() => delays.disable(), measuredMs).unref();
  let previous: EventLoopUtilization = performance.eventLoopUtilization();
  new Gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'The longest block of the event loop since the last scrape; 0 where the process was idle',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, previous);
      previous = now;
      const longest = delays.max / NANOS_PER_SECOND - RESOLUTION_MS / 1_000;
      this.set(delays.count === 0 ? 0 : Math.max(longest, 0));
      delays.reset();
      if (utilization < IDLE_SHARE) return void delays.disable();
      delays.enable();
      stopping.refresh();
    },
  });
};

/** The usual metrics of a process; of its event loop only what costs nothing while it is idle. */
export const measureProcess = (registry: Registry, measuredMs = MEASURED_MS): void => {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag_')) registry.removeSingleMetric(name);
  measureEventLoopLag(registry, measuredMs);
};

const QUICK_TO_COLD_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800];

/** A service's own registry: services that share a process share no metric. */
export type Metrics = ReturnType<typeof createMetrics>;

const factories = (registry: Registry) => ({
  counter<Label extends string>({ name, help, labels = [] }: Definition<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: [registry] });
  },
  gauge<Label extends string>({ name, help, labels = [] }: Definition<Label>): Gauge<Label> {
    return new Gauge({ name, help, labelNames: labels, registers: [registry] });
  },
  histogram<Label extends string>(
    { name, help, labels = [] }: Definition<Label>,
    buckets: readonly number[] = QUICK_TO_COLD_SECONDS,
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] });
  },
});

type Factories = ReturnType<typeof factories>;

/** `outcome` is `ok` or the code of the error. */
const handling = ({ histogram }: Factories) => ({
  commandDuration: histogram({
    name: 'tds_command_duration_seconds',
    help: 'Time to answer a command',
    labels: ['name', 'outcome'],
  }),
  taskDuration: histogram({
    name: 'tds_task_duration_seconds',
    help: 'Time of one attempt of a task',
    labels: ['name', 'outcome'],
  }),
  httpRequestDuration: histogram({
    name: 'tds_http_request_duration_seconds',
    help: 'Time to answer an HTTP request; cache is HIT, MISS, or empty where nothing is cached',
    labels: ['route', 'method', 'status', 'cache'],
  }),
  eventLag: histogram(
    {
      name: 'tds_event_lag_seconds',
      help: 'Time from the commit of an event to the start of its listener',
      labels: ['name'],
    },
    LAG_SECONDS,
  ),
});

const database = ({ gauge }: Factories) => ({
  outboxUnpublished: gauge({
    name: 'tds_outbox_unpublished',
    help: 'Rows of the outbox that the stream has not acknowledged',
  }),
  outboxLag: gauge({
    name: 'tds_outbox_lag_seconds',
    help: 'Age of the oldest unpublished row of the outbox',
  }),
  poolConnections: gauge({
    name: 'tds_pool_connections',
    help: 'Connections to Postgres: total, idle, and callers that wait for one; of the service and of the kit',
    labels: ['pool', 'state'],
  }),
});

const redis = ({ counter, gauge }: Factories) => ({
  projectionFailures: counter({
    name: 'tds_projection_failures_total',
    help: 'Reads and writes of projections that Redis did not answer',
    labels: ['projection', 'operation'],
  }),
  projectionsRefused: counter({
    name: 'tds_projections_refused_total',
    help: 'Values in Redis that are not believed: not signed, not by a key of ours, wrongly, or kept beyond their end',
    labels: ['projection', 'why'],
  }),
  redisAway: gauge({
    name: 'tds_redis_away',
    help: '1 while the service goes on without a Redis: it does not answer, or it is full',
    labels: ['server', 'why'],
  }),
});

/** `processMetrics: false` leaves out CPU, memory and event loop, for all but one service of a shared process. */
export const createMetrics = (service: string, options: { processMetrics?: boolean } = {}) => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (options.processMetrics ?? true) measureProcess(registry);
  const make = factories(registry);
  const collectors = createCollectors();
  return {
    ...make,
    /** Runs at each scrape, before the values are written. */
    onScrape: collectors.add,
    registry,
    /** Metrics of every service. */
    kit: { ...handling(make), ...database(make), ...redis(make) },
    contentType: registry.contentType,
    /** The Prometheus text. */
    text: async (): Promise<string> => {
      await collectors.run();
      return registry.metrics();
    },
  };
};
