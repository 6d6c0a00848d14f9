import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** What blocks for longer is noticed. */
const RESOLUTION_MS = 20;
/** Of the time since the scrape before: who has done less had no block that anybody would want to know of. */
const IDLE_SHARE = 0.01;
const NANOS_PER_SECOND = 1e9;
const NEVER_MS = 2 ** 31 - 1;

/**
 * The longest block of the event loop since the scrape before. What measures it wakes the process fifty times a second, so it runs
 * only in a process that is scraped and has worked since then.
 */
const measureEventLoopLag = (registry: Registry): void => {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  new Gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'The longest block of the event loop since the last scrape; 0 where the process was idle',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      const longest = delays.max / NANOS_PER_SECOND - RESOLUTION_MS / 1_000;
      this.set(delays.count === 0 ? 0 : Math.max(longest, 0));
      delays.reset();
      if (utilization < IDLE_SHARE) delays.disable();
      else delays.enable();
    },
  });
};

/** The usual metrics of a process; of its event loop only what costs nothing at rest. */
export const measureProcess = (registry: Registry): void => {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag_')) registry.removeSingleMetric(name);
  measureEventLoopLag(registry);
};
