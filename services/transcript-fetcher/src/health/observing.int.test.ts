import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PayloadOf, transcriptFetcher } from '@tds/contracts';
import { loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

const canaries = [1, 2, 3].map((index) => loadVideoId(9_000_000 + index));
let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher({}, { CANARY_VIDEOS: canaries.join(',') });
});
afterAll(() => fetcher?.stop());

type CanaryMessage = { readonly payload: PayloadOf<typeof transcriptFetcher.canaryChecked> };
type ObservedMessage = { readonly payload: PayloadOf<typeof transcriptFetcher.strategyObserved> };
const emittedOf = <Message>(event: { subject: string }) =>
  fetcher.query<Message>('SELECT payload FROM messaging.outbox WHERE subject = $1 ORDER BY id', [
    event.subject,
  ]);
const checks = () => emittedOf<CanaryMessage>(transcriptFetcher.canaryChecked);
const observations = () => emittedOf<ObservedMessage>(transcriptFetcher.strategyObserved);
/** Runs the check without waiting for its interval. */
const checkAgain = async () => {
  const { length } = await checks();
  await fetcher.rows.makeDue('messaging.schedules', { where: "name = 'check-canary'" });
  await eventually(async () => expect((await checks()).length).toBeGreaterThan(length), {
    everyMs: 100,
  });
  return (await checks()).at(-1)?.payload;
};

describe('the canary', () => {
  it('passes every strategy and exit without a row, a charge or a cached file', async () => {
    const checked = await checkAgain();
    expect(checked?.routes).toEqual(
      ['android', 'visionos', 'web', 'watch_page'].map((strategy) => ({
        strategy,
        exit: 'direct',
        passed: true,
      })),
    );
    expect(checked?.translation).toBe('served');
    for (const table of ['operations', 'transcripts', 'videos', 'cold_counts', 'settlements'])
      expect([table, await fetcher.query(`SELECT FROM ${table}`)]).toEqual([table, []]);
    expect(fetcher.ledger.size()).toBe(0);
  });

  it('metrics show the number of routes that served a known video', async () => {
    const passed = async () => (await fetcher.scrape())('tds_canary_checks_total', { outcome: 'passed' }) ?? 0;
    const before = await passed();
    await checkAgain();
    // Counted once the event is saved.
    await eventually(async () => expect(await passed()).toBeGreaterThanOrEqual(before + 4));
  });

  it('reveals unused strategies, their failures and their recovery', async () => {
    const states = async () => (await observations()).at(-1)?.payload.strategies.map(({ healthy }) => healthy);
    const become = (healthy: boolean) =>
      eventually(async () => expect(await states()).toEqual([healthy, healthy, healthy, healthy]), {
        everyMs: 250,
      });
    await checkAgain();
    await become(true);
    const block = fetcher.simulator.faults.add({ match: {}, fault: 'block' });
    for (let reservation = 0; reservation < 3; reservation += 1)
      expect((await checkAgain())?.routes.map(({ passed }) => passed)).toEqual([false, false, false, false]);
    await become(false);
    fetcher.simulator.faults.remove(block);
    // Circuits wait before a probe.
    await eventually(
      async () =>
        expect((await checkAgain())?.routes.map(({ passed }) => passed)).toEqual([true, true, true, true]),
      { everyMs: 1_000 },
    );
    await become(true);
  });
});

it('most fetches of customers that fail are emitted, also while known videos pass', async () => {
  const videoIds = Array.from({ length: 24 }, (_, index) => loadVideoId(8_000_000 + index));
  const blocks = videoIds.map((videoId) =>
    fetcher.simulator.faults.add({ match: { videoId }, fault: 'block' }),
  );
  for (const videoId of videoIds) await fetcher.get({ videoId }).catch(() => null);
  await eventually(async () => expect((await observations()).at(-1)?.payload.faults).toBe('most'), {
    everyMs: 250,
  });
  for (const block of blocks) fetcher.simulator.faults.remove(block);
});

it('each instance emits its own observation, even before it has observed a route', async () => {
  const before = new Set((await observations()).map(({ payload }) => payload.instance));
  await fetcher.addInstance();
  const fresh = await eventually(async () => {
    const observed = (await observations()).find(({ payload }) => !before.has(payload.instance));
    if (!observed) throw new Error('the instance has emitted nothing yet');
    return observed.payload;
  });
  expect(fresh).toMatchObject({ strategies: [], capacity: 'open' });
});

it('a used-up pool is emitted', async () => {
  await fetcher.query(
    `INSERT INTO cold_counts VALUES ('pool:free', (now() AT TIME ZONE 'UTC')::date, 1000000)
     ON CONFLICT (scope, day) DO UPDATE SET count = excluded.count`,
  );
  await eventually(async () => expect((await observations()).at(-1)?.payload.capacity).toBe('limited'), {
    everyMs: 250,
  });
});
