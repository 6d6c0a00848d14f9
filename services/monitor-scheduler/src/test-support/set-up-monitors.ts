import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { startMonitors, type TestMonitors } from './start-monitors.ts';

export type WatchedMonitor = Awaited<ReturnType<TestMonitors['watch']>>;

/** The video ids of each of its jobs. */
export const batchesOf = ({ jobs }: WatchedMonitor): readonly (readonly string[])[] =>
  jobs().map(({ source }) => ('videoIds' in source ? source.videoIds : []));

/** For a test file: the service, whose neighbours recover after each test, and common steps. */
export const setUpMonitors = () => {
  let monitors: TestMonitors;
  beforeAll(async () => {
    monitors = await startMonitors();
  });
  afterEach(() => {
    monitors.platform.lists(true);
    monitors.platform.players(true);
    monitors.refuse(null);
    monitors.loseAnswers(false);
  });
  afterAll(() => monitors?.stop());
  const check = () => monitors.pass('20 minutes');
  return {
    get monitors() {
      return monitors;
    },
    /** Advances the time until all sources are checked. */
    check,
    checks: async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) await check();
    },
    /** Waits until the monitor has emitted exactly these ids. */
    emits: ({ emitted }: WatchedMonitor, ids: readonly string[]) =>
      monitors.eventually(() => expect(emitted()).toEqual(ids)),
    fetching: (fields = {}) => monitors.watch({ autoFetch: true, ...fields }),
    /** Waits until the monitor's jobs have exactly these videos. */
    fetches: (monitor: WatchedMonitor, ids: readonly string[]) =>
      monitors.eventually(() => expect(batchesOf(monitor).flat()).toEqual(ids)),
  };
};
