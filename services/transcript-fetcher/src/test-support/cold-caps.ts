import { loadVideoId } from '@tds/platform-simulator';
import { type FakeClock, fakeClock } from '@tds/test-kit';
import { startFetcher, type TestFetcher } from './start-fetcher.ts';

const LAST_SECONDS = Date.parse('2026-11-20T23:59:50.000Z');
const TEN_DAYS_MS = 864_000_000;

/** Videos that nobody has asked for, and days in which nothing was counted: what one test counts is not seen by another. */
export const untouched = (afterVideo: number) => {
  const clock = fakeClock(new Date(LAST_SECONDS));
  let days = 0;
  let video = afterVideo;
  return {
    clock,
    freshVideo: () => loadVideoId(++video),
    /** The last seconds of a day. */
    nextDay: () => clock.set(new Date(LAST_SECONDS + ++days * TEN_DAYS_MS)),
  };
};

type Caps = {
  readonly key: number;
  readonly ramp: number;
  readonly freePool: number;
  readonly globalPool: number;
};

/** Two instances with small daily caps. */
export const startWithCaps = async (
  clock: FakeClock,
  { key, ramp, freePool, globalPool }: Caps,
): Promise<TestFetcher> => {
  const fetcher = await startFetcher({
    now: clock.now,
    limits: {
      perKey: { free: key, paid: key },
      perNewAccount: ramp,
      newForDays: 2,
      pools: { free: freePool, global: globalPool },
      blocksPerPool: 20,
    },
  });
  await fetcher.addInstance();
  return fetcher;
};
