import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceError } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

type Row = {
  readonly state: string;
  readonly settlement: string;
  readonly charge: number;
  readonly charge_reported: boolean;
};
let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.ledger.refuse(null);
  fetcher.simulator.setLatency(0);
  fetcher.simulator.setAtOnce(Number.POSITIVE_INFINITY);
});

let videos = 7_000;
const fresh = () => ({ videoId: loadVideoId(++videos), requestId: randomUUID() });
const within = {};
const until = (check: () => void | Promise<void>) => eventually(async () => check(), within);
const outcomeOf = (requestId: string) => fetcher.ledger.reservations.get(requestId);
const rowOf = async (requestId: string) => {
  const rows = await fetcher.query<Row>(
    'SELECT state, settlement, charge, charge_reported FROM operations WHERE id = $1',
    [requestId],
  );
  return rows[0];
};
const isReleased = (requestId: string) => until(() => expect(outcomeOf(requestId)).toBe('released'));
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'delivered',
    (error: ServiceError) => error.code,
  );
/** Begun, and not delivered before the latency is taken away. */
const begin = async (given: { videoId: string; requestId: string }) => {
  fetcher.simulator.setLatency(1_500);
  expect(await fetcher.get({ ...given, waitMs: 0 })).toEqual({
    state: 'pending',
    requestId: given.requestId,
  });
};
const free = { state: 'delivered', cache: 'HIT', creditsCharged: 0 };

describe('a request that was answered with a 5xx', () => {
  it('costs nothing where its operation is still open: it is delivered, and its credit given back', async () => {
    const given = fresh();
    await begin(given);
    await fetcher.disown(given.requestId, given);
    expect(await fetcher.poll(given.requestId)).toMatchObject(free);
    expect(outcomeOf(given.requestId)).toBe('released');
    expect(await rowOf(given.requestId)).toMatchObject({
      state: 'delivered',
      settlement: 'released',
      charge: 0,
    });
  });

  it('gets its charge back once, also when it is disowned twice, where it was settled before', async () => {
    const given = fresh();
    expect(await fetcher.get(given)).toMatchObject({ creditsCharged: 1 });
    await until(() => expect(outcomeOf(given.requestId)).toBe('settled'));
    await Promise.all([fetcher.disown(given.requestId, given), fetcher.disown(given.requestId, given)]);
    await until(async () =>
      expect(await rowOf(given.requestId)).toMatchObject({ settlement: 'released', charge: 0 }),
    );
    expect(fetcher.ledger.refunded).toContain(given.requestId);
    expect(await fetcher.poll(given.requestId)).toMatchObject(free);
  });

  it('is not charged where the ledger was away between its delivery and its settlement', async () => {
    const given = fresh();
    const release = fetcher.simulator.hold();
    const answer = fetcher.get(given);
    await until(() => expect(outcomeOf(given.requestId)).toBe('open'));
    fetcher.ledger.refuse('service_unavailable');
    release();
    await answer;
    await fetcher.disown(given.requestId, given);
    fetcher.ledger.refuse(null);
    await until(async () => expect(await rowOf(given.requestId)).toMatchObject({ settlement: 'released' }));
    const isGivenBack =
      outcomeOf(given.requestId) === 'released' || fetcher.ledger.refunded.has(given.requestId);
    expect(isGivenBack).toBe(true);
    await until(async () => {
      const rows = await fetcher.query<Row>(
        `SELECT state FROM messaging.tasks WHERE payload ->> 'operationId' = $1 AND state <> 'done'`,
        [given.requestId],
      );
      expect(rows).toEqual([]);
    });
  });

  it('never opens an operation that comes after it was disowned', async () => {
    const given = fresh();
    await fetcher.disown(given.requestId, given);
    expect(await codeOf(fetcher.get(given))).toBe('service_unavailable');
    expect(outcomeOf(given.requestId)).toBeUndefined();
    expect(await codeOf(fetcher.poll(given.requestId))).toBe('relay_unavailable');
    expect(await codeOf(fetcher.get({ videoId: given.videoId }))).toBe('delivered');
  });

  it('leaves the charge with a request of the same account that was told it', async () => {
    const given = fresh();
    await begin(given);
    const joined = await fetcher.get({ videoId: given.videoId });
    expect(joined).toMatchObject({ cache: 'MISS', creditsCharged: 1 });
    await fetcher.disown(given.requestId, given);
    await until(() => expect(outcomeOf(given.requestId)).toBe('settled'));
    expect(await rowOf(given.requestId)).toMatchObject({ charge: 1, charge_reported: true });
    expect(fetcher.ledger.refunded).not.toContain(given.requestId);
  });

  it('is free for a request that has joined it and waits', async () => {
    const given = fresh();
    await begin(given);
    const joined = fetcher.get({ videoId: given.videoId });
    await fetcher.disown(given.requestId, given);
    expect(await joined).toMatchObject(free);
    await isReleased(given.requestId);
  });

  it('gives the charge back that it was told for an operation that it had joined, and is told none any more', async () => {
    const given = fresh();
    const joining = randomUUID();
    await begin(given);
    const joined = await fetcher.get({ videoId: given.videoId, requestId: joining });
    expect(joined).toMatchObject({ creditsCharged: 1 });
    await fetcher.disown(joining, given);
    await until(async () => expect(await rowOf(given.requestId)).toMatchObject({ settlement: 'released' }));
    expect(await fetcher.poll(given.requestId, { by: joining })).toMatchObject(free);
  });

  it('is told no charge when its join is late: the next one who asks is', async () => {
    const given = fresh();
    const late = randomUUID();
    await begin(given);
    await fetcher.disown(late, given);
    expect(await fetcher.get({ videoId: given.videoId, requestId: late })).toMatchObject({
      creditsCharged: 0,
    });
    expect(await fetcher.poll(given.requestId)).toMatchObject({ creditsCharged: 1 });
  });

  it('costs nothing after a restart in the middle', async () => {
    const given = fresh();
    await begin(given);
    await fetcher.disown(given.requestId, given);
    await fetcher.restart();
    fetcher.simulator.setLatency(0);
    expect(await fetcher.poll(given.requestId)).toMatchObject(free);
    expect(outcomeOf(given.requestId)).toBe('released');
  });

  it('costs nothing at whatever moment of its work it is disowned', async () => {
    const all = Array.from({ length: 40 }, fresh);
    await Promise.all(
      all.map(async (given, n) => {
        const answering = fetcher.get(given).catch(() => null);
        await sleep(n);
        await fetcher.disown(given.requestId, given);
        await answering;
      }),
    );
    await until(async () => {
      const rows = await fetcher.query<Row>(
        `SELECT settlement, charge FROM operations WHERE id = ANY ($1::uuid[]) GROUP BY 1, 2`,
        [all.map(({ requestId }) => requestId)],
      );
      expect(rows).toEqual([{ settlement: 'released', charge: 0 }]);
    });
    const paid = all.filter(
      ({ requestId }) => outcomeOf(requestId) === 'settled' && !fetcher.ledger.refunded.has(requestId),
    );
    const held = all.filter(({ requestId }) => outcomeOf(requestId) === 'open');
    expect([paid, held]).toEqual([[], []]);
  });

  it('cannot be disowned by another account', async () => {
    const given = fresh();
    await fetcher.get(given);
    await until(async () => expect(await rowOf(given.requestId)).toMatchObject({ settlement: 'settled' }));
    await fetcher.disown(given.requestId, { ...given, accountId: randomUUID() });
    expect(await rowOf(given.requestId)).toMatchObject({ charge: 1, settlement: 'settled' });
  });
});
