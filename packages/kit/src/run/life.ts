import { setMaxListeners } from 'node:events';
import { type Check, createInstruments, createLog, createMetrics, watchEventLoop } from '@tds/base/internals';
import type { Surface } from '@tds/contracts';
import type { Dispatchers } from '@tds/messaging/internals';
import type { Backlog } from '../service.ts';
import { loadKitConfig } from './kit-config.ts';
import { createStopList } from './stop-list.ts';

export type StartOptions = {
  /** Those of the process, which services that share it have once. */
  readonly processMetrics?: boolean;
  /** Gets each line of the log in the place of standard output. */
  readonly records?: { write(line: string): void } | undefined;
};

/** What the parts of a running service share. Throws ConfigError. */
export const beginLife = (
  surface: Surface,
  environment: NodeJS.ProcessEnv,
  { records, ...options }: StartOptions,
) => {
  const service = surface.name;
  const config = loadKitConfig(service, environment);
  const log = createLog({ service, level: config.LOG_LEVEL, destination: records });
  const metrics = createInstruments(createMetrics(service, options));
  const [stops, loop, ending] = [createStopList(log), watchEventLoop(), new AbortController()];
  stops.add('event loop', async () => loop.stop());
  // Each task and connection in hand follows this signal.
  setMaxListeners(0, ending.signal);
  return {
    ...{ service, surface, environment, config, log, metrics, loop, stops },
    /** Fires when work in hand has to end. */
    ending,
    checks: new Map<string, Check>([['started', () => Promise.reject(new Error('not yet'))]]),
    addresses: {} as Record<string, string>,
    backlogs: new Map<string, () => Promise<Backlog>>(),
    /** By the wire names of schedules. */
    dueQueries: new Map<string, string>(),
    /** Filled when work starts: before, what was committed waits for the first poll. */
    dispatchers: { wakeRelay: () => {}, hint: () => {}, wakeTasks: () => {}, wakeAll: () => {} } as Dispatchers,
  };
};
export type Life = Readonly<ReturnType<typeof beginLife>>;
