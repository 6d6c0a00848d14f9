import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withDeadline } from '../async/deadline.ts';
import { createSingleFlight } from '../async/single-flight.ts';

type Definition<Label extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
};

const QUICK_TO_COLD_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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

/** What makes metrics of one registry. */
const createFactories = (registry: Registry) => ({
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
export type MetricFactories = ReturnType<typeof createFactories>;

/**
 * A service's own registry: services that share a process share no metric. `processMetrics: false` leaves out CPU, memory and event loop, for
 * all but one service of a shared process.
 */
export const createMetrics = (service: string, options: { processMetrics?: boolean } = {}) => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (options.processMetrics ?? true) measureProcess(registry);
  const collectors = createCollectors();
  return {
    ...createFactories(registry),
    /** Runs at each scrape, before the values are written. */
    onScrape: collectors.add,
    registry,
    contentType: registry.contentType,
    /** The Prometheus text. */
    text: async (): Promise<string> => {
      await collectors.run();
      return registry.metrics();
    },
  };
};
export type Metrics = ReturnType<typeof createMetrics>;
