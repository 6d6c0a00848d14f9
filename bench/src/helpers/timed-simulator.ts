import { subscribe } from 'node:diagnostics_channel';
import { startPlatformSimulator } from '@tds/platform-simulator';
import { serveHelper } from '../support/helper.ts';

/** The platform as a process of its own that knows how long it has taken over its answers. */

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
  /** What every answer takes from now on. */
  setLatency: (latencyMs: number) => simulator.setLatency(latencyMs),
  /** So many are worked on at a time from now on; null for as many as come. */
  setAtOnce: (most: number | null) => simulator.setAtOnce(most ?? Number.POSITIVE_INFINITY),
  /** Since the last time. */
  take: (): PlatformTime => {
    const taken = { requests, ms };
    requests = 0;
    ms = 0;
    return taken;
  },
});
