import { subscribe } from 'node:diagnostics_channel';
import { startPlatformSimulator } from '@tds/platform-simulator';
import { serveHelper } from '../support/helper.ts';

/** The platform in a process of its own. It measures the time of its answers. */

export type PlatformTime = { readonly requests: number; readonly ms: number };

const startedAt = new WeakMap<object, number>();
let requests = 0;
let ms = 0;

type Seen = { readonly request: object };

subscribe('http.server.request.start', (message) => {
  startedAt.set((message as Seen).request, performance.now());
});
subscribe('http.server.response.finish', (message) => {
  requests += 1;
  ms += performance.now() - (startedAt.get((message as Seen).request) ?? performance.now());
});

const simulator = await startPlatformSimulator({});

serveHelper({
  origin: () => simulator.origin,
  /** Sets the delay of every later answer. */
  setLatency: (latencyMs: number) => simulator.setLatency(latencyMs),
  /** Limits the answers in work at a time; null removes the limit. */
  setAtOnce: (most: number | null) => simulator.setAtOnce(most ?? Number.POSITIVE_INFINITY),
  /** Returns and resets the counters. */
  take: (): PlatformTime => {
    const taken = { requests, ms };
    requests = 0;
    ms = 0;
    return taken;
  },
});
