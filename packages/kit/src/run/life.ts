import { setMaxListeners } from 'node:events';
import { endsWithin, type Log } from '@tds/base';
import { type Check, createInstruments, createLog, createMetrics, watchEventLoop } from '@tds/base/internals';
import type { Surface } from '@tds/contracts';
import type { Dispatchers } from '@tds/messaging/internals';
import type { Backlog } from '../service.ts';
import { loadKitConfig } from './kit-config.ts';

const MAX_STOP_MS = 15_000;

/** The parts to stop, newest first. */
export const createStopList = (log: Log) => {
  const stops: { readonly name: string; readonly stop: () => Promise<void> }[] = [];
  let running: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (let next = stops.pop(); next; next = stops.pop()) {
      try {
        const inTime = await endsWithin(next.stop(), MAX_STOP_MS);
        if (!inTime) log.error('stopping took too long', { part: next.name });
      } catch (error) {
        log.error('stopping failed', { part: next.name, error });
      }
    }
  };
  return {
    add: (name: string, stop: () => Promise<void>): void => void stops.push({ name, stop }),
    /** Stops everything once, however often it is called; one that fails or hangs does not keep the others. */
    run: (): Promise<void> => {
      running ??= runAll();
      return running;
    },
    isRunning: () => running !== undefined,
  };
};

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
