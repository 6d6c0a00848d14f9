import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { toRows } from '../test-support/batches.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());

const query: TestFetcher['query'] = (sql, values) => fetcher.query(sql, values);

/** Makes the schedule due while it is not running, and waits for the end of the run that follows. */
const reconcile = async () => {
  const epoch = await eventually(async () => {
    const [row] = await query<{ epoch: string }>(
      `SELECT lease_epoch AS epoch FROM messaging.schedules WHERE name = 'reconcile-reservations' AND lease_until IS NULL`,
    );
    if (!row) throw new Error('the schedule is running');
    return row.epoch;
  });
  await fetcher.rows.makeDue('messaging.schedules', { where: "name = 'reconcile-reservations'" });
  await eventually(async () => {
    const ended = await query(
      `SELECT FROM messaging.schedules
       WHERE name = 'reconcile-reservations' AND lease_epoch > $1::bigint AND lease_until IS NULL`,
      [epoch],
    );
    expect(ended).toHaveLength(1);
  });
};
/** Ages all rows: the last minute is skipped as work under way. */
const passTime = () => query(`UPDATE operations SET ended_at = ended_at - interval '1 hour'`);

let videos = 7_000;
const nextVideo = () => loadVideoId(++videos);
const deliver = async (): Promise<string> => {
  const requestId = randomUUID();
  await fetcher.get({ videoId: nextVideo(), requestId });
  await eventually(() => expect(fetcher.ledger.paid(requestId)).toBe(1));
  return requestId;
};
/** Runs a job of `count` cold rows to its end. Returns the ref of its reservation. */
const runJob = async (count: number): Promise<string> => {
  const [batchId, rows] = [randomUUID(), toRows(Array.from({ length: count }, nextVideo))];
  await fetcher.batches.submitBatch({ batchId, rows });
  await fetcher.batches.waitForEnds(batchId, rows);
  const [reservation] = await query<{ ref: string }>('SELECT ref FROM reservations WHERE batch_id = $1', [
    batchId,
  ]);
  await eventually(() => expect(fetcher.ledger.paid(String(reservation?.ref))).toBe(count));
  return String(reservation?.ref);
};
const hold = {
  unit: 1,
  items: [1, 2],
  coverage: 'some',
  requestId: 'lost',
  reason: 'transcript',
  keyId: null,
} as const;

describe('after a restore of the fetcher', () => {
  it('a credit without a row is released, on any page', async () => {
    const lost = Array.from({ length: 5 }, () => randomUUID());
    for (const ref of lost)
      fetcher.ledger.books().reserve({ ...hold, items: [1, 2], ref, accountId: randomUUID() });
    await reconcile();
    expect(lost.map((ref) => fetcher.ledger.held(ref))).toEqual(lost.map(() => []));
  });

  it('a credit of work under way is kept', async () => {
    const release = fetcher.simulator.hold();
    const requestId = randomUUID();
    const answer = fetcher.get({ videoId: nextVideo(), requestId });
    await eventually(() => expect(fetcher.ledger.held(requestId)).toEqual([1]));
    await reconcile();
    expect(fetcher.ledger.held(requestId)).toEqual([1]);
    release();
    await answer;
  });
});

describe('after a restore of the ledger', () => {
  it('lost charges of reads and jobs are charged again once, however often they are compared', async () => {
    const copy = fetcher.ledger.copy();
    const refs = [await deliver(), await runJob(7)];
    await passTime();
    fetcher.ledger.putBack(copy);
    expect(refs.map(fetcher.ledger.paid)).toEqual([0, 0]);
    for (const _run of [1, 2]) {
      await reconcile();
      expect(refs.map(fetcher.ledger.paid)).toEqual([1, 7]);
    }
  });

  it('restored holds of ended rows are charged or released as the rows ended', async () => {
    const release = fetcher.simulator.hold();
    const [batchId, rows] = [randomUUID(), toRows([nextVideo(), 'private_001', nextVideo()])];
    await fetcher.batches.submitBatch({ batchId, rows });
    const [reservation] = await query<{ ref: string }>('SELECT ref FROM reservations WHERE batch_id = $1', [
      batchId,
    ]);
    const ref = String(reservation?.ref);
    const copy = fetcher.ledger.copy();
    release();
    await fetcher.batches.waitForEnds(batchId, rows);
    await eventually(() => expect(fetcher.ledger.held(ref)).toEqual([]));
    fetcher.ledger.putBack(copy);
    expect(fetcher.ledger.held(ref)).toEqual([1, 2, 3]);
    await reconcile();
    expect([fetcher.ledger.held(ref), fetcher.ledger.paid(ref)]).toEqual([[], 2]);
  });

  it('a refunded charge is refunded again', async () => {
    const requestId = randomUUID();
    const videoId = nextVideo();
    await fetcher.get({ videoId, requestId });
    await eventually(() => expect(fetcher.ledger.paid(requestId)).toBe(1));
    const copy = fetcher.ledger.copy();
    await fetcher.waive(requestId, { videoId });
    await eventually(() => expect(fetcher.ledger.paid(requestId)).toBe(0));
    fetcher.ledger.putBack(copy);
    for (const _run of [1, 2]) {
      await reconcile();
      expect(fetcher.ledger.paid(requestId)).toBe(0);
    }
  });

  it('a charge that another request has reported is not refunded, although its own request was waived', async () => {
    const [videoId, requestId] = [nextVideo(), randomUUID()];
    const release = fetcher.simulator.hold();
    expect(await fetcher.get({ videoId, requestId, waitMs: 0 })).toMatchObject({ state: 'pending' });
    release();
    expect(await fetcher.get({ videoId })).toMatchObject({ creditsCharged: 1 });
    await eventually(() => expect(fetcher.ledger.paid(requestId)).toBe(1));
    await fetcher.waive(requestId, { videoId });
    await reconcile();
    expect(fetcher.ledger.paid(requestId)).toBe(1);
  });

  it('a charge that is no longer possible is marked, and not requested again', async () => {
    const copy = fetcher.ledger.copy();
    const requestId = await deliver();
    await passTime();
    fetcher.ledger.putBack(copy);
    fetcher.ledger.fail('chargeItems', 'account_closed');
    await reconcile();
    fetcher.ledger.fail('chargeItems', null);
    await reconcile();
    const [row] = await query('SELECT charge, uncollected FROM operations WHERE id = $1', [requestId]);
    expect([row, fetcher.ledger.paid(requestId)]).toEqual([{ charge: 1, uncollected: true }, 0]);
  });
});
