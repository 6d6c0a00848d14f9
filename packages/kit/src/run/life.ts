import { setMaxListeners } from 'node:events';
import type { Instruments, Log } from '@tds/base';
import {
  type Check,
  createInstruments,
  createLog,
  createMetrics,
  type EventLoopWatch,
  watchEventLoop,
} from '@tds/base/internals';
import type { Surface } from '@tds/contracts';
import type { Dispatchers } from '@tds/messaging/internals';
import type { Backlog } from '../service.ts';
import { type KitConfig, loadKitConfig } from './kit-config.ts';
import { createStopList, type StopList } from './stop-list.ts';

/** What the parts of a running service share. */
export type Life = {
  readonly service: string;
  readonly surface: Surface;
  readonly environment: NodeJS.ProcessEnv;
  readonly config: KitConfig;
  readonly log: Log;
  readonly metrics: Instruments;
  readonly loop: EventLoopWatch;
  readonly stops: StopList;
  /** Fires when work in hand has to end. */
  readonly ending: AbortController;
  readonly checks: Map<string, Check>;
  readonly addresses: Record<string, string>;
  readonly backlogs: Map<string, () => Promise<Backlog>>;
  /** By the wire names of schedules. */
  readonly dueQueries: Map<string, string>;
  /** Filled when work starts: before, what was committed waits for the first poll. */
  readonly dispatchers: Dispatchers;
};

/** Throws ConfigError. */
export const beginLife = (
  surface: Surface,
  environment: NodeJS.ProcessEnv,
  options: { readonly processMetrics?: boolean },
): Life => {
  const service = surface.name;
  const config = loadKitConfig(service, environment);
  const log = createLog({ service, level: config.LOG_LEVEL });
  const metrics = createInstruments(createMetrics(service, options));
  const [stops, loop, ending] = [createStopList(log), watchEventLoop(), new AbortController()];
  stops.add('event loop', async () => loop.stop());
  // Each task and connection in hand follows this signal.
  setMaxListeners(0, ending.signal);
  return {
    ...{ service, surface, environment, config, log, metrics, loop, stops, ending },
    checks: new Map([['started', () => Promise.reject(new Error('not yet'))]]),
    addresses: {},
    backlogs: new Map(),
    dueQueries: new Map(),
    dispatchers: { wakeRelay: () => {}, hint: () => {}, wakeTasks: () => {}, wakeAll: () => {} },
  };
};
