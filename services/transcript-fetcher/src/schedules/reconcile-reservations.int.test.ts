import { randomUUID } from 'node:crypto';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());

const query: TestFetcher['query'] = (sql, values) => fetcher.query(sql, values);

/** Makes the schedule due while it is not running, and waits for the end of the run that begins then. */
const reconcile = async () => {
  const epoch = await eventually(async () => {
    const [row] = await query<{ epoch: string }>(
      `UPDATE messaging.schedules SET next_due_at = now() WHERE name = 'reconcile-reservations' AND lease_until IS NULL
       RETURNING lease_epoch AS epoch`,
    );
    if (!row) throw new Error('the schedule is running');
    return row.epoch;
  });
  await eventually(async () => {
    const ended = await query(
      `SELECT FROM messaging.schedules
       WHERE name = 'reconcile-reservations' AND lease_epoch > $1::bigint AND lease_until IS NULL`,
      [epoch],
    );
    expect(ended).toHaveLength(1);
  });
};
const settlementOf = async (id: string) =>
  (await query<{ settlement: string }>('SELECT settlement FROM operations WHERE id = $1', [id]))[0]
    ?.settlement;

let videos = 7_000;
/** A delivery, charged and settled. */
const deliver = async (): Promise<string> => {
  const id = randomUUID();
  videos += 1;
  await fetcher.get({ videoId: loadVideoId(videos), requestId: id });
  await eventually(async () => expect(await settlementOf(id)).toBe('settled'));
  return id;
};
/** An operation as the table may have it. */
const insert = async (state: string, settlement: string): Promise<string> => {
  const id = randomUUID();
  await query(
    `INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, state, settlement, error)
     VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'manualEn001', 'en', true, 'json', $2, $3, $4)`,
    [id, state, settlement, state === 'failed' ? '{}' : null],
  );
  return id;
};
const asksFor = (id: string) => fetcher.ledger.asked.filter(({ ref }) => ref === id).length;

describe('where the fetcher went back, a credit', () => {
  it('that no operation knows is given back, on whichever page it stands', async () => {
    const refs = Array.from({ length: 5 }, () => randomUUID());
    for (const ref of refs) fetcher.ledger.putBack(ref, 'open');
    await reconcile();
    expect(refs.map((ref) => fetcher.ledger.reservations.get(ref))).toEqual(refs.map(() => 'released'));
  });

  it.each([
    ['is being reserved', 'reserving', 'pending'],
    ['is fetched for', 'fetching', 'pending'],
    ['waits for its own settlement', 'failed', 'pending'],
  ])('that %s is left alone', async (_what, state, settlement) => {
    const id = await insert(state, settlement);
    fetcher.ledger.putBack(id, 'open');
    await reconcile();
    expect(fetcher.ledger.reservations.get(id)).toBe('open');
    fetcher.ledger.putBack(id, null);
  });
});

describe('where the ledger went back, a delivery', () => {
  it('that it does not know is charged once more under its own ref, naming the video, and by nobody`s cap', async () => {
    const id = await deliver();
    fetcher.ledger.putBack(id, null);
    await reconcile();
    expect(fetcher.ledger.reservations.get(id)).toBe('settled');
    const hold = fetcher.ledger.asked.findLast(({ ref }) => ref === id);
    expect(hold).toMatchObject({
      amount: 1,
      reason: 'transcript',
      subject: { video_id: loadVideoId(videos) },
    });
    expect(hold?.dailyCreditCap).toBeUndefined();
    await reconcile();
    expect([asksFor(id), await settlementOf(id)]).toEqual([2, 'settled']);
  });

  it('that it holds again, or whose charge died between hold and settlement, is settled', async () => {
    const id = await deliver();
    fetcher.ledger.putBack(id, 'open');
    await reconcile();
    expect([fetcher.ledger.reservations.get(id), asksFor(id)]).toEqual(['settled', 1]);
  });

  it('that the account cannot pay any more stays uncollected, and nobody asks again', async () => {
    const id = await deliver();
    fetcher.ledger.putBack(id, null);
    fetcher.ledger.refuse('insufficient_credits');
    await reconcile();
    fetcher.ledger.refuse(null);
    expect([await settlementOf(id), asksFor(id)]).toEqual(['uncollected', 2]);
    await reconcile();
    expect([fetcher.ledger.reservations.has(id), asksFor(id)]).toEqual([false, 2]);
  });

  it('that was given back there is not charged any more', async () => {
    const id = await deliver();
    fetcher.ledger.putBack(id, 'released');
    await reconcile();
    expect([await settlementOf(id), fetcher.ledger.reservations.get(id)]).toEqual([
      'uncollected',
      'released',
    ]);
  });

  it('hides no other one behind it where it fails, and is tried again while the ledger is away', async () => {
    const [one, other] = [await deliver(), await deliver()].toSorted() as [string, string];
    fetcher.ledger.putBack(one, null);
    fetcher.ledger.putBack(other, null);
    fetcher.ledger.poison(one);
    await reconcile();
    expect(fetcher.ledger.reservations.get(other)).toBe('settled');
    fetcher.ledger.putBack(other, null);
    fetcher.ledger.refuse('service_unavailable');
    await reconcile();
    expect(await settlementOf(other)).toBe('settled');
    fetcher.ledger.refuse(null);
    await reconcile();
    expect(fetcher.ledger.reservations.get(other)).toBe('settled');
  });

  it('whose settlement is still under way is charged anew by its own task', async () => {
    const kept = await deliver();
    await query(
      `UPDATE operations SET settlement = 'pending', ended_at = now() - interval '5 minutes' WHERE id = $1`,
      [kept],
    );
    fetcher.ledger.putBack(kept, null);
    await eventually(async () => expect(await settlementOf(kept)).toBe('settled'));
    expect(fetcher.ledger.reservations.get(kept)).toBe('settled');
  });
});

describe('where the ledger went back, a failure', () => {
  it.each([
    ['that it holds again is given back', 'open', 'released'],
    ['that was never reserved stays free', null, undefined],
  ] as const)('%s', async (_what, was, comesTo) => {
    const id = await insert('failed', 'released');
    fetcher.ledger.putBack(id, was);
    await reconcile();
    expect(fetcher.ledger.reservations.get(id)).toBe(comesTo);
  });

  it('or a voided charge that it has lost the refund of is refunded once more', async () => {
    const id = await insert('failed', 'released');
    fetcher.ledger.putBack(id, 'settled');
    await reconcile();
    expect(fetcher.ledger.refunded.has(id)).toBe(true);
  });

  it('whose charge was given back before is not refunded again by every walk', async () => {
    const id = await deliver();
    await fetcher.disown(id, { videoId: loadVideoId(videos) });
    await eventually(async () => expect(await settlementOf(id)).toBe('released'));
    for (const _walk of [1, 2]) await reconcile();
    expect(fetcher.ledger.refundsAsked.filter((ref) => ref === id)).toHaveLength(1);
  });
});
