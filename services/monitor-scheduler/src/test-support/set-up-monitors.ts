import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { startMonitors, type TestMonitors } from './start-monitors.ts';

export type Watched = Awaited<ReturnType<TestMonitors['watch']>>;

/** What its jobs were asked for, job by job. */
export const batchesOf = ({ jobs }: Watched): readonly (readonly string[])[] =>
  jobs().map(({ source }) => ('videoIds' in source ? source.videoIds : []));

/** For a file of tests: the service, whose neighbours are well again after each test, and what nearly all of them do and wait for. */
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
    /** Lets the time pass until all sources are looked at. */
    check,
    checks: async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) await check();
    },
    /** Waits until the monitor has told exactly these, and nothing else. */
    tells: ({ told }: Watched, ids: readonly string[]) =>
      monitors.eventually(() => expect(told()).toEqual(ids)),
    fetching: (given = {}) => monitors.watch({ autoFetch: true, ...given }),
    /** Waits until the monitor's jobs are of exactly these. */
    fetches: (watched: Watched, ids: readonly string[]) =>
      monitors.eventually(() => expect(batchesOf(watched).flat()).toEqual(ids)),
  };
};
