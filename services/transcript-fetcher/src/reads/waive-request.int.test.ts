import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { codeOf, eventually } from '@tds/test-kit';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

type OperationRow = {
  readonly state: string;
  readonly charge: number;
  readonly reported_to: string | null;
};
let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.ledger.setAway(false);
  fetcher.simulator.setLatency(0);
  fetcher.simulator.setMaxConcurrent(Number.POSITIVE_INFINITY);
});

let videos = 7_000;
const fresh = () => ({ videoId: loadVideoId(++videos), requestId: randomUUID() });
const within = {};
const until = (check: () => void | Promise<void>) => eventually(async () => check(), within);
const outcomeOf = (requestId: string) => fetcher.ledger.stateOf(requestId);
const rowOf = async (requestId: string) => {
  const rows = await fetcher.query<OperationRow>(
    'SELECT state, charge, reported_to FROM operations WHERE id = $1',
    [requestId],
  );
  return rows[0];
};
const isReleased = (requestId: string) => until(() => expect(outcomeOf(requestId)).toBe('released'));
/** Makes all unconfirmed settlements due. */
const becomesDue = () => fetcher.rows.makeDue('settlements');
/** Begins a read that does not end before the latency fault is removed. */
const begin = async (given: { videoId: string; requestId: string }) => {
  fetcher.simulator.setLatency(1_500);
  expect(await fetcher.get({ ...given, waitMs: 0 })).toEqual({
    state: 'pending',
    requestId: given.requestId,
  });
};
const free = { state: 'delivered', cache: 'HIT', creditsCharged: 0 };

describe('a request that was answered with a 5xx', () => {
  it('costs nothing if its operation is still open: it is delivered, and its credit is released', async () => {
    const given = fresh();
    await begin(given);
    await fetcher.waive(given.requestId, given);
    expect(await fetcher.poll(given.requestId)).toMatchObject(free);
    await isReleased(given.requestId);
    expect(await rowOf(given.requestId)).toMatchObject({ state: 'delivered', charge: 0 });
  });

  it('gets its settled charge refunded once, even if it is waived twice', async () => {
    const given = fresh();
    expect(await fetcher.get(given)).toMatchObject({ creditsCharged: 1 });
    await until(() => expect(outcomeOf(given.requestId)).toBe('charged'));
    await Promise.all([fetcher.waive(given.requestId, given), fetcher.waive(given.requestId, given)]);
    expect(await rowOf(given.requestId)).toMatchObject({ charge: 0 });
    await becomesDue();
    await until(() => expect(outcomeOf(given.requestId)).toBe('refunded'));
    expect(await fetcher.poll(given.requestId)).toMatchObject(free);
  });

  it('is not charged if the ledger was away between delivery and settlement', async () => {
    const given = fresh();
    const release = fetcher.simulator.hold();
    const answer = fetcher.get(given);
    await until(() => expect(outcomeOf(given.requestId)).toBe('held'));
    fetcher.ledger.setAway(true);
    release();
    await answer;
    await fetcher.waive(given.requestId, given);
    fetcher.ledger.setAway(false);
    await becomesDue();
    await until(async () => expect(await fetcher.query('SELECT FROM settlements')).toEqual([]));
    expect(['released', 'refunded']).toContain(outcomeOf(given.requestId));
  });

  it('gets its credit back at once if the database has lost it in a crash', async () => {
    const given = fresh();
    await begin(given);
    await until(() => expect(outcomeOf(given.requestId)).toBe('held'));
    await fetcher.query('DELETE FROM operations WHERE id = $1', [given.requestId]);
    await fetcher.waive(given.requestId, given);
    await isReleased(given.requestId);
  });

  it('opens no operation if it arrives after it was waived', async () => {
    const given = fresh();
    await fetcher.waive(given.requestId, given);
    expect(await codeOf(fetcher.get(given))).toBe('relay_unavailable');
    // So that the ledger holds nothing for a late reserve.
    expect(outcomeOf(given.requestId)).toBe('released');
    expect(await codeOf(fetcher.poll(given.requestId))).toBe('relay_unavailable');
    expect(await codeOf(fetcher.get({ videoId: given.videoId }))).toBe('answered');
  });

  it('keeps the charge with another request of the account that reported it', async () => {
    const given = fresh();
    await begin(given);
    const joined = await fetcher.get({ videoId: given.videoId });
    expect(joined).toMatchObject({ cache: 'MISS', creditsCharged: 1 });
    await fetcher.waive(given.requestId, given);
    await until(() => expect(outcomeOf(given.requestId)).toBe('charged'));
    const { reported_to: reportedTo, charge } = (await rowOf(given.requestId)) ?? {};
    expect([charge, reportedTo]).toEqual([1, expect.not.stringContaining(given.requestId)]);
    expect(outcomeOf(given.requestId)).not.toBe('refunded');
  });

  it('is free for a request that joined it and waits', async () => {
    const given = fresh();
    await begin(given);
    const joined = fetcher.get({ videoId: given.videoId });
    await fetcher.waive(given.requestId, given);
    expect(await joined).toMatchObject(free);
    await isReleased(given.requestId);
  });

  it('refunds the charge that it reported for a joined operation, and reports none afterwards', async () => {
    const given = fresh();
    const joining = randomUUID();
    await begin(given);
    const joined = await fetcher.get({ videoId: given.videoId, requestId: joining });
    expect(joined).toMatchObject({ creditsCharged: 1 });
    await fetcher.waive(joining, given);
    await until(async () => expect(await rowOf(given.requestId)).toMatchObject({ charge: 0 }));
    expect(await fetcher.poll(given.requestId, { by: joining })).toMatchObject(free);
  });

  it('reports no charge if its join is late: the next request reports it', async () => {
    const given = fresh();
    const late = randomUUID();
    await begin(given);
    await fetcher.waive(late, given);
    expect(await codeOf(fetcher.get({ videoId: given.videoId, requestId: late }))).toBe('relay_unavailable');
    expect(await fetcher.poll(given.requestId)).toMatchObject({ creditsCharged: 1 });
  });

  it('costs nothing after a restart in between', async () => {
    const given = fresh();
    await begin(given);
    await fetcher.waive(given.requestId, given);
    await fetcher.restart();
    fetcher.simulator.setLatency(0);
    expect(await fetcher.poll(given.requestId)).toMatchObject(free);
    await isReleased(given.requestId);
  });

  it('costs nothing at whatever moment of its work it is waived', async () => {
    const all = Array.from({ length: 40 }, fresh);
    await Promise.all(
      all.map(async (given, n) => {
        const answering = fetcher.get(given).catch(() => null);
        await delay(n);
        await fetcher.waive(given.requestId, given);
        await answering;
      }),
    );
    await until(async () => {
      await becomesDue();
      const rows = await fetcher.query(
        `SELECT id FROM operations WHERE id = ANY ($1::uuid[]) AND (charge > 0 OR ended_at IS NULL)`,
        [all.map(({ requestId }) => requestId)],
      );
      expect([rows, await fetcher.query('SELECT FROM settlements')]).toEqual([[], []]);
    });
    const open = all.filter(({ requestId }) => ['charged', 'held'].includes(String(outcomeOf(requestId))));
    expect(open).toEqual([]);
  });

  it('cannot be waived by another account', async () => {
    const given = fresh();
    await fetcher.get(given);
    await until(() => expect(outcomeOf(given.requestId)).toBe('charged'));
    await fetcher.waive(given.requestId, { ...given, accountId: randomUUID() });
    expect(await rowOf(given.requestId)).toMatchObject({ charge: 1 });
  });
});

describe('a poll that was answered with a 5xx', () => {
  it('makes the work free if its lost answer reported the charge, for every later poll, too', async () => {
    const given = fresh();
    const [lost, next] = [randomUUID(), randomUUID()];
    await begin(given);
    expect(await fetcher.poll(given.requestId, { by: lost })).toMatchObject({ creditsCharged: 1 });
    await until(() => expect(outcomeOf(given.requestId)).toBe('charged'));
    for (let time = 0; time < 2; time += 1) await fetcher.waivePoll(lost, given.requestId);
    await becomesDue();
    await until(() => expect(outcomeOf(given.requestId)).toBe('refunded'));
    for (const by of [lost, next]) expect(await fetcher.poll(given.requestId, { by })).toMatchObject(free);
    // A restored ledger that has lost the refund is told again.
    const isWaived = 'SELECT FROM operations WHERE id = $1 AND waived_at IS NOT NULL';
    expect(await fetcher.query(isWaived, [given.requestId])).toHaveLength(1);
  });

  it('leaves the charge to the next poll if it reported none, also if it arrives after that', async () => {
    const given = fresh();
    const lost = randomUUID();
    await begin(given);
    await fetcher.waivePoll(lost, given.requestId);
    expect(await fetcher.poll(given.requestId, { by: lost })).toMatchObject({ creditsCharged: 0 });
    expect(await fetcher.poll(given.requestId)).toMatchObject({ creditsCharged: 1 });
    await until(() => expect(outcomeOf(given.requestId)).toBe('charged'));
  });

  it('changes nothing for another account, or for a request that is not known', async () => {
    const given = fresh();
    const by = randomUUID();
    await begin(given);
    expect(await fetcher.poll(given.requestId, { by })).toMatchObject({ creditsCharged: 1 });
    await fetcher.waivePoll(by, given.requestId, randomUUID());
    await fetcher.waivePoll(by, randomUUID());
    expect(await rowOf(given.requestId)).toMatchObject({ charge: 1, reported_to: by });
  });
});
