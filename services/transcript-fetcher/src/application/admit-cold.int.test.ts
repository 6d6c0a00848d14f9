import { randomUUID } from 'node:crypto';
import type { RequestOf, ServiceError, transcriptFetcher } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWithCaps, untouched } from '../test-support/cold-caps.ts';
import type { TestFetcher } from '../test-support/start-fetcher.ts';

const KEY_CAP = 10;
const RAMP = 4;
const FREE_POOL = 50;
const GLOBAL_POOL = 110;

/** Pools are asked for far more than they hold: an instance may have the last permits while the other is asked. */
const { clock, freshVideo, nextDay } = untouched(10_000);
let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startWithCaps(clock, {
    key: KEY_CAP,
    ramp: RAMP,
    freePool: FREE_POOL,
    globalPool: GLOBAL_POOL,
  });
});
afterAll(() => fetcher?.stop());
beforeEach(nextDay);
afterEach(() => {
  fetcher.ledger.refuse(null);
  fetcher.simulator.setAtOnce(Number.POSITIVE_INFINITY);
});

type Given = Partial<RequestOf<typeof transcriptFetcher.getTranscript>>;
const caller = (given: Given = {}): Given => ({ accountId: randomUUID(), keyId: randomUUID(), ...given });
const cold = (given: Given): Promise<string> =>
  fetcher.get({ videoId: freshVideo(), ...given }).then(
    (answer) => (answer.state === 'delivered' ? answer.cache : answer.state),
    (error: ServiceError) => error.code,
  );
const tally = (outcomes: readonly string[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, (code) => code)).map(([code, all]) => [code, all?.length]),
  );
const many = async (count: number, ask: (index: number) => Promise<string>, atOnce = count) => {
  const outcomes: string[] = [];
  let next = 0;
  const askOn = async () => {
    while (next < count) outcomes.push(await ask(next++));
  };
  await Promise.all(Array.from({ length: atOnce }, askOn));
  return tally(outcomes);
};
const refusal = (given: Given) =>
  fetcher.get({ videoId: freshVideo(), ...given }).catch((error: ServiceError) => error.data);

describe('cold fetches of a key', () => {
  it('are exactly its cap when a hundred come at once to two instances; a refusal holds no credit and leaves nothing', async () => {
    const asked = fetcher.ledger.asked.length;
    const first = caller({ tier: 'paid' });
    expect(await many(100, () => cold(first))).toEqual({ MISS: KEY_CAP, cold_fetch_cap: 100 - KEY_CAP });
    expect(fetcher.ledger.asked.length - asked).toBe(KEY_CAP);
    const requestId = randomUUID();
    expect(await refusal({ ...first, requestId })).toMatchObject({ code: 'cold_fetch_cap' });
    const { accountId = '' } = first;
    await expect(fetcher.poll(requestId, { accountId })).rejects.toMatchObject({ code: 'request_not_found' });
    expect(await cold({ ...first, keyId: randomUUID() })).toBe('MISS');
  });

  it('are shared by keys that came out of one another by rotation', async () => {
    const first = caller({ tier: 'paid' });
    const successor = { ...first, keyId: randomUUID(), limitId: first.keyId };
    expect(await many(KEY_CAP - 3, () => cold(first))).toEqual({ MISS: KEY_CAP - 3 });
    expect(await many(KEY_CAP, () => cold(successor))).toEqual({ MISS: 3, cold_fetch_cap: KEY_CAP - 3 });
    expect(await cold(first)).toBe('cold_fetch_cap');
  });

  it('come back at 00:00:00Z, to the second', async () => {
    const key = caller();
    await many(KEY_CAP, () => cold(key));
    expect(await refusal(key)).toMatchObject({
      code: 'cold_fetch_cap',
      retryAfterSeconds: 10,
      retryable: false,
    });
    clock.advance(9_999);
    expect(await refusal(key)).toMatchObject({ code: 'cold_fetch_cap', retryAfterSeconds: 1 });
    clock.advance(1);
    expect(await cold(key)).toBe('MISS');
  });

  it('beyond the cap: what is cached is answered, an open operation is joined, and only new work is refused', async () => {
    const key = caller();
    const cached = freshVideo();
    expect(await cold({ ...key, videoId: cached })).toBe('MISS');
    expect(await many(KEY_CAP - 2, () => cold(key))).toEqual({ MISS: KEY_CAP - 2 });
    const open = freshVideo();
    const release = fetcher.simulator.hold();
    expect(await many(20, () => cold({ ...key, videoId: open, waitMs: 0 }))).toEqual({ pending: 20 });
    release();
    await eventually(async () => expect(await cold({ ...key, videoId: open })).toBe('HIT'));
    expect(await cold({ ...key, videoId: cached })).toBe('HIT');
    expect(await cold(key)).toBe('cold_fetch_cap');
  });

  it('that the ledger refuses do not count; those that fail at the platform do', async () => {
    const key = caller();
    fetcher.ledger.refuse('insufficient_credits');
    expect(await many(30, () => cold(key), 2)).toEqual({ insufficient_credits: 30 });
    fetcher.ledger.refuse('service_unavailable');
    expect(await many(15, () => cold(key), 2)).toEqual({ service_unavailable: 15 });
    fetcher.ledger.refuse(null);
    expect(await cold({ ...key, videoId: 'noCaptions1', language: 'fr' })).toBe('no_captions');
    expect(await many(20, () => cold(key))).toEqual({ MISS: KEY_CAP - 1, cold_fetch_cap: 21 - KEY_CAP });
  });

  it('are not forgotten when Redis is flushed or the service restarts', async () => {
    const key = caller();
    await many(KEY_CAP / 2, () => cold(key));
    await fetcher.redis.kill();
    await fetcher.redis.start();
    await fetcher.restart();
    expect(await many(20, () => cold(key))).toEqual({ MISS: KEY_CAP / 2, cold_fetch_cap: 20 - KEY_CAP / 2 });
  });
});

describe('cold fetches of a new account', () => {
  const aged = (hours: number) =>
    caller({ accountCreatedAt: new Date(clock.now().getTime() - hours * 3_600_000).toISOString() });

  it('are the ramp on a day, over all its keys, for 48 hours and no longer', async () => {
    const young = aged(47.999);
    const keys = [young, { ...young, keyId: randomUUID() }];
    expect(await many(20, (index) => cold(keys[index % 2] ?? young))).toEqual({
      MISS: RAMP,
      account_age_ramp: 20 - RAMP,
    });
    expect(await refusal(young)).toMatchObject({ code: 'account_age_ramp', retryAfterSeconds: 10 });
    clock.advance(3_600);
    expect(await cold(young)).toBe('MISS');
    expect(await many(RAMP + 1, () => cold(aged(48)))).toEqual({ MISS: RAMP + 1 });
  });

  it('are the ramp again on its second day', async () => {
    const young = aged(1);
    await many(RAMP, () => cold(young));
    clock.advance(10_000);
    expect(await many(RAMP * 2, () => cold(young))).toEqual({ MISS: RAMP, account_age_ramp: RAMP });
  });
});

describe('the shared pools', () => {
  /** If a busy machine answered nothing in time, its permits were given back, and another request tries. */
  const coldOnce = async (tier: 'free' | 'paid'): Promise<string> => {
    for (;;) {
      const outcome = await cold(caller({ tier }));
      if (outcome !== 'service_unavailable') return outcome;
    }
  };
  const coldAgain = async (count: number, tier: 'free' | 'paid') => many(count, () => coldOnce(tier), 50);

  it('of free keys holds exactly its permits over two instances; paid keys go on', async () => {
    expect(await coldAgain(FREE_POOL * 10, 'free')).toEqual({
      MISS: FREE_POOL,
      free_pool_cap: FREE_POOL * 9,
    });
    expect(await refusal(caller())).toMatchObject({ code: 'free_pool_cap', retryAfterSeconds: 10 });
    expect(await cold(caller({ tier: 'paid' }))).toBe('MISS');
    clock.advance(10_000);
    expect(await cold(caller())).toBe('MISS');
  });

  it('of all keys holds exactly its permits over two instances', async () => {
    expect(await coldAgain(GLOBAL_POOL * 10, 'paid')).toEqual({
      MISS: GLOBAL_POOL,
      global_cold_cap: GLOBAL_POOL * 9,
    });
    expect(await refusal(caller())).toMatchObject({ code: 'global_cold_cap', retryAfterSeconds: 10 });
    clock.advance(10_000);
    expect(await cold(caller())).toBe('MISS');
  });

  it('lose nothing to requests that are refused elsewhere, join, or have no credits', async () => {
    const key = caller();
    await many(KEY_CAP, () => cold(key));
    await many(50, () => cold(key));
    fetcher.ledger.refuse('insufficient_credits');
    await many(50, () => cold(caller()));
    fetcher.ledger.refuse(null);
    expect(await coldAgain(FREE_POOL * 10, 'free')).toEqual({
      MISS: FREE_POOL - KEY_CAP,
      free_pool_cap: FREE_POOL * 9 + KEY_CAP,
    });
  });

  it('are not forgotten when the service restarts in the middle', async () => {
    await coldAgain(FREE_POOL / 2, 'free');
    await fetcher.restart();
    expect(await coldAgain(FREE_POOL * 10, 'free')).toEqual({
      MISS: FREE_POOL / 2,
      free_pool_cap: FREE_POOL * 9.5,
    });
  });
});
