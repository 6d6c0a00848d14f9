import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { toRows } from '../test-support/batches.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

const slots = { reads: 2, jobs: 4 };
let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher(
    {},
    { SLOTS_FOR_READS: String(slots.reads), SLOTS_FOR_JOBS: String(slots.jobs) },
  );
});
afterAll(() => fetcher?.stop());
afterEach(() => fetcher.simulator.setMaxConcurrent(Number.POSITIVE_INFINITY));

let videos = 40_000;
const fresh = () => loadVideoId(++videos);
const newBatch = (count: number) => ({
  batchId: randomUUID(),
  accountId: randomUUID(),
  rows: toRows(Array.from({ length: count }, fresh)),
});
const until = (check: () => void | Promise<void>) => eventually(async () => check());
/** Open fetches: of reads, and of rows of jobs. */
const underWay = async () => {
  const [row] = await fetcher.query<{ reads: number; rows: number }>(
    `SELECT count(*) FILTER (WHERE priority = 'reads')::integer AS reads, count(*) FILTER (WHERE priority = 'jobs')::integer AS rows
     FROM operations WHERE state = 'fetching'`,
  );
  return [row?.reads, row?.rows];
};
describe('slots', () => {
  it('of jobs are all used and never exceeded, for any number of accounts and batches; reads have their own', async () => {
    const release = fetcher.simulator.hold();
    const accountId = randomUUID();
    const batches = [
      newBatch(5),
      newBatch(5),
      newBatch(5),
      { ...newBatch(5), accountId },
      { ...newBatch(5), accountId },
    ];
    await Promise.all(batches.map((batch) => fetcher.batches.submitBatch(batch)));
    await until(async () => expect(await underWay()).toEqual([0, slots.jobs]));
    const reads = Array.from({ length: slots.reads }, () => fetcher.get({ videoId: fresh() }));
    await until(async () => expect(await underWay()).toEqual([slots.reads, slots.jobs]));
    // By now each worker has had the chance to begin too many.
    await fetcher.batches.submitBatch({ ...newBatch(3), accountId });
    expect(await underWay()).toEqual([slots.reads, slots.jobs]);
    release();
    for (const read of await Promise.all(reads)) expect(read).toMatchObject({ state: 'delivered' });
    const changes = await Promise.all(
      batches.map(({ batchId, rows }) => fetcher.batches.waitForEnds(batchId, rows)),
    );
    expect(changes.flat()).toMatchObject(Array(25).fill({ state: 'delivered', charge: 1 }));
  });

  it('if all are taken, a read waits for its turn and is charged once', async () => {
    const release = fetcher.simulator.hold();
    const requestIds = Array.from({ length: 5 }, () => randomUUID());
    const reads = requestIds.map((requestId) => fetcher.get({ videoId: fresh(), requestId }));
    await until(async () => {
      const queued = await fetcher.query(`SELECT FROM operations WHERE priority = 'reads' AND state = 'ready'`);
      expect([queued.length, ...(await underWay())]).toEqual([3, slots.reads, 0]);
    });
    release();
    for (const read of await Promise.all(reads)) expect(read).toMatchObject({ creditsCharged: 1 });
    await until(() =>
      expect(requestIds.map((id) => fetcher.ledger.stateOf(id))).toEqual(requestIds.map(() => 'charged')),
    );
  });
});

describe('two instances', () => {
  it('share the places of jobs, and each row is fetched by one of them', async () => {
    const other = await fetcher.addInstance();
    try {
      // Instances with recent work have a heartbeat.
      await Promise.all(Array.from({ length: 6 }, () => fetcher.get({ videoId: fresh() })));
      const batches = Array.from({ length: 4 }, () => newBatch(8));
      fetcher.simulator.resetRequests();
      await Promise.all(batches.map((batch) => fetcher.batches.submitBatch(batch)));
      const changes = await Promise.all(
        batches.map(({ batchId, rows }) => fetcher.batches.waitForEnds(batchId, rows)),
      );
      expect(changes.flat()).toMatchObject(Array(32).fill({ state: 'delivered', charge: 1 }));
      expect(fetcher.simulator.requests().byEndpoint.timedtext).toBe(32);
    } finally {
      await other.stop();
    }
  });

  it.each([1, 2])(
    'that wake at the same moment never run more fetches than there are places (%i)',
    async () => {
      const other = await fetcher.addInstance();
      try {
        // Neither has a heartbeat yet.
        await fetcher.restart();
        const release = fetcher.simulator.hold();
        const batch = newBatch(12);
        const reads = Array.from({ length: 6 }, () => fetcher.get({ videoId: fresh() }));
        await fetcher.batches.submitBatch(batch);
        const seen: number[] = [];
        await until(async () => {
          const [of = 0, rows = 0] = await underWay();
          seen.push(Math.max(of - slots.reads, rows - slots.jobs));
          expect([of, rows]).toEqual([slots.reads, slots.jobs]);
        });
        // Each opening wakes both.
        for (let n = 0; n < 10; n += 1) {
          await fetcher.batches.submitBatch({ ...newBatch(1), accountId: batch.accountId });
          const [of = 0, rows = 0] = await underWay();
          seen.push(Math.max(of - slots.reads, rows - slots.jobs));
        }
        expect(Math.max(...seen)).toBe(0);
        release();
        for (const read of await Promise.all(reads)) expect(read).toMatchObject({ state: 'delivered' });
        await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
      } finally {
        await other.stop();
      }
    },
  );

  it('lose nothing if one stops: the other continues its fetches', async () => {
    const other = await fetcher.addInstance();
    const release = fetcher.simulator.hold();
    const batch = newBatch(8);
    await fetcher.batches.submitBatch(batch);
    await until(async () => expect((await underWay())[1]).toBeGreaterThan(0));
    await other.stop();
    release();
    const changes = await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    expect(changes).toMatchObject(Array(8).fill({ state: 'delivered', charge: 1 }));
    await until(() => expect(fetcher.ledger.count('held', batch.accountId)).toBe(0));
    expect(fetcher.ledger.count('charged', batch.accountId)).toBe(8);
  });
});
