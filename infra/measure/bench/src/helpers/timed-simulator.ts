import { subscribe } from 'node:diagnostics_channel';
import { startPlatformSimulator } from '@tds/simulators/platform';
import { serveHelper } from '../support/helper.ts';

/** The platform in a process of its own. It counts and times its answers. */

let requests = 0;
let underWay = 0;
let busySince = 0;
let busyMs: number[] = [];

subscribe('http.server.request.start', () => {
  if (underWay === 0) busySince = performance.now();
  underWay += 1;
});
subscribe('http.server.response.finish', () => {
  requests += 1;
  underWay -= 1;
  if (underWay === 0) busyMs.push(performance.now() - busySince);
});

const simulator = await startPlatformSimulator({});

serveHelper({
  origin: () => simulator.origin,
  /** Sets the delay of every later answer. */
  setLatency: (latencyMs: number) => simulator.setLatency(latencyMs),
  /** Limits the answers in work at a time; null removes the limit. */
  setAtOnce: (limit: number | null) => simulator.setMaxConcurrent(limit ?? Number.POSITIVE_INFINITY),
  /** The number of answers since the start. */
  requests: () => requests,
  /** The milliseconds of each time in which some answer was in work, since the last call. */
  takeBusy: (): number[] => {
    const previous = busyMs;
    busyMs = [];
    return previous;
  },
});
