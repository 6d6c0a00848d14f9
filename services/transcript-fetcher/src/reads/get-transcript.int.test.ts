import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { codeOf, eventually } from '@tds/test-kit';
import { startFetcher } from '../test-support/start-fetcher.ts';
import { MAX_BYTES_ON_LOOP } from '../tracks/track-files.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.ledger.setAway(false);
  fetcher.simulator.faults.clear();
  fetcher.simulator.setLatency(0);
  fetcher.simulator.setMaxConcurrent(Number.POSITIVE_INFINITY);
  fetcher.simulator.resetRequests();
});

/** A delivery is settled right after its answer. */
const settled = (requestId: string): Promise<unknown> =>
  eventually(async () => expect(fetcher.ledger.stateOf(requestId)).toBe('charged'));
describe('a cold transcript', () => {
  it('is delivered as a MISS with its charge, and as a HIT for nothing afterwards', async () => {
    const requestId = randomUUID();
    const cold = await fetcher.get({ videoId: loadVideoId(1), requestId });
    expect(cold).toMatchObject({ state: 'delivered', cache: 'MISS', creditsCharged: 1, creditsLeft: 99 });
    await settled(requestId);
    const warm = await fetcher.get({ videoId: loadVideoId(1) });
    expect(warm).toMatchObject({ state: 'delivered', cache: 'HIT', creditsCharged: 0 });
  });

  it('is answered from memory exactly as from the cache later, in each format', async () => {
    const formats = ['json', 'srt', 'md'] as const;
    for (const [n, format] of formats.entries()) {
      const asked = { videoId: loadVideoId(20 + n), format };
      const [cold, warm] = [await fetcher.get(asked), await fetcher.get(asked)];
      const { text, creditsLeft: _, ...answered } = cold as Extract<typeof cold, { state: 'delivered' }>;
      expect(warm).toEqual({ ...answered, cache: 'HIT', creditsCharged: 0 });
      expect(createHash('sha256').update(String(text)).digest('hex')).toBe(answered.sha256);
    }
  });

  it('of a whole day is fetched and rendered in threads with the same result', async () => {
    const [videoId, requestId] = ['dayLong_001', randomUUID()];
    const isWhole = (answer: object, cache: string, creditsCharged: number) => {
      expect(answer).toMatchObject({ state: 'delivered', cache, creditsCharged });
      expect((answer as { bytes: number }).bytes).toBeGreaterThan(MAX_BYTES_ON_LOOP);
    };
    // On a busy machine the first answer may be that it is still under way.
    await eventually(async () => isWhole(await fetcher.get({ videoId, format: 'srt', requestId }), 'MISS', 1));
    isWhole(await fetcher.get({ videoId, format: 'json' }), 'HIT', 0);
  });

  it('is delivered to a second caller in its own format, from one fetch', async () => {
    const videoId = loadVideoId(30);
    const accounts = [randomUUID(), randomUUID()] as const;
    const answers = await fetcher.whileUnderWay(videoId, accounts.length, () =>
      Promise.all([
        fetcher.get({ videoId, accountId: accounts[0], format: 'vtt' }),
        fetcher.get({ videoId, accountId: accounts[1], format: 'srt' }),
      ]),
    );
    expect(answers).toMatchObject([
      { format: 'vtt', creditsCharged: 1 },
      { format: 'srt', creditsCharged: 1 },
    ]);
    expect(fetcher.simulator.requests().byEndpoint.timedtext).toBe(1);
  });

  it('is delivered to a second request of one account in its requested format, for one credit', async () => {
    fetcher.simulator.setLatency(200);
    const videoId = loadVideoId(31);
    const requestId = randomUUID();
    const first = fetcher.get({ videoId, format: 'clean', requestId });
    await eventually(async () => expect(fetcher.ledger.stateOf(requestId)).toBe('held'));
    const answers = await Promise.all([first, fetcher.get({ videoId, format: 'srt' })]);
    expect(answers).toMatchObject([
      { format: 'clean', creditsCharged: 1 },
      { format: 'srt', creditsCharged: 0 },
    ]);
  });

  it('gives the reservation back if the platform delivers nothing', async () => {
    const requestId = randomUUID();
    expect(await codeOf(fetcher.get({ videoId: 'noCaptions1', requestId }))).toBe('no_captions');
    expect(fetcher.ledger.stateOf(requestId)).toBe('released');
  });

  it('is fetched once for all accounts that wait for it, each with its own operation', async () => {
    const videoId = loadVideoId(2);
    const accounts = Array.from({ length: 8 }, () => randomUUID());
    const answers = await fetcher.whileUnderWay(videoId, accounts.length, () =>
      Promise.all(accounts.map((accountId) => fetcher.get({ videoId, accountId }))),
    );
    expect(answers.map((answer) => answer.state === 'delivered' && answer.creditsCharged)).toEqual(
      accounts.map(() => 1),
    );
    expect(fetcher.simulator.requests().byEndpoint.timedtext).toBe(1);
  });

  it('is one operation for parallel requests of one account; exactly one answer reports its charge', async () => {
    fetcher.simulator.setLatency(200);
    const before = fetcher.ledger.size();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fetcher.get({ videoId: loadVideoId(3) })),
    );
    const charges = answers.map((answer) =>
      answer.state === 'delivered' ? answer.creditsCharged : Number.NaN,
    );
    expect(charges.reduce((sum, charge) => sum + charge, 0)).toBe(1);
    expect(fetcher.ledger.size()).toBe(before + 1);
  });

  it('is answered as pending after the wait, ends by itself, and can be polled at no charge by its account only', async () => {
    const release = fetcher.simulator.hold();
    const requestId = randomUUID();
    const pending = await fetcher.get({ videoId: loadVideoId(4), requestId, waitMs: 100 });
    expect(pending).toEqual({ state: 'pending', requestId });
    release();
    expect(await codeOf(fetcher.poll(requestId, { accountId: randomUUID() }))).toBe('request_not_found');
    const [first, second] = [await fetcher.poll(requestId), await fetcher.poll(requestId)];
    expect([first, second]).toMatchObject([
      { cache: 'MISS', creditsCharged: 1 },
      { cache: 'MISS', creditsCharged: 0 },
    ]);
    await settled(requestId);
  });

  it('reports its charge again to the request whose answer was lost, and to no other', async () => {
    const requestId = randomUUID();
    const lost = await fetcher.get({ videoId: loadVideoId(61), requestId });
    const again = await fetcher.poll(requestId, { by: requestId });
    const later = await fetcher.poll(requestId);
    expect([lost, again, later]).toMatchObject([
      { creditsCharged: 1 },
      { creditsCharged: 1 },
      { creditsCharged: 0 },
    ]);
  });

  it('is delivered while the ledger is away, and settled once when it is back', async () => {
    const release = fetcher.simulator.hold();
    const requestId = randomUUID();
    const { free } = fetcher.ledger.books().account(fetcher.account);
    const answer = fetcher.get({ videoId: loadVideoId(62), requestId });
    await eventually(async () => expect(fetcher.ledger.stateOf(requestId)).toBe('held'));
    fetcher.ledger.setAway(true);
    release();
    expect(await answer).toMatchObject({
      state: 'delivered',
      cache: 'MISS',
      creditsCharged: 1,
      creditsLeft: free - 1,
    });
    expect(fetcher.ledger.stateOf(requestId)).toBe('held');
    await fetcher.restoreLedger();
    await settled(requestId);
    expect(await fetcher.poll(requestId)).toMatchObject({ cache: 'MISS', creditsCharged: 0 });
  });

  it('is refused at once and leaves nothing if no ledger answers', async () => {
    const requestId = randomUUID();
    const videoId = loadVideoId(63);
    const codes = await fetcher.withoutLedger(async () => [
      await codeOf(fetcher.get({ videoId, requestId })),
      // A poll does not wait for a credit that was never held.
      await codeOf(fetcher.poll(requestId)),
    ]);
    expect(codes).toEqual(['service_unavailable', 'service_unavailable']);
    expect(await fetcher.query('SELECT FROM settlements')).toEqual([]);
    expect(await fetcher.get({ videoId })).toMatchObject({ cache: 'MISS', creditsCharged: 1 });
  });

  it('that fails is not answered before its credit is released', async () => {
    const release = fetcher.simulator.hold();
    const requestId = randomUUID();
    const answer = fetcher.get({ videoId: 'nowhere0001', requestId, waitMs: 1_500 });
    await eventually(async () => expect(fetcher.ledger.stateOf(requestId)).toBe('held'));
    fetcher.ledger.setAway(true);
    release();
    expect(await answer).toEqual({ state: 'pending', requestId });
    await fetcher.restoreLedger();
    expect(await codeOf(fetcher.poll(requestId))).toBe('video_unavailable');
    expect(fetcher.ledger.stateOf(requestId)).toBe('released');
  });

  it('starts nothing upstream if the balance does not cover it', async () => {
    const asked = { videoId: loadVideoId(5), accountId: randomUUID() };
    fetcher.ledger.releaseSlots(asked.accountId, 0);
    expect(await codeOf(fetcher.get(asked))).toBe('insufficient_credits');
    expect(fetcher.simulator.requests().total).toBe(0);
    fetcher.ledger.releaseSlots(asked.accountId, 1);
    expect(await codeOf(fetcher.get(asked))).toBe('answered');
  });

  it('starts nothing upstream if the daily cap of the key does not cover it, and gives nothing back', async () => {
    const requestId = randomUUID();
    const limitId = randomUUID();
    fetcher.ledger.use(fetcher.account, limitId, 7);
    const refused = fetcher.get({ videoId: loadVideoId(10), requestId, limitId, dailyCreditCap: 7 });
    await expect(refused).rejects.toMatchObject({
      code: 'daily_credit_cap',
      data: { retryAfterSeconds: expect.any(Number) },
    });
    expect(fetcher.ledger.requests.at(-1)).toMatchObject({ ref: requestId, dailyCreditCap: 7 });
    expect(fetcher.simulator.requests().total).toBe(0);
    expect(fetcher.ledger.stateOf(requestId)).not.toBe('held');
  });

  it('is refused and never fetched if its reservation was released before it was made', async () => {
    const requestId = randomUUID();
    fetcher.ledger.books().resolve({ ref: requestId, charge: [], release: [1] });
    expect(await codeOf(fetcher.get({ videoId: loadVideoId(11), requestId }))).toBe('service_unavailable');
    expect(fetcher.simulator.requests().total).toBe(0);
    expect(await codeOf(fetcher.get({ videoId: loadVideoId(11) }))).toBe('answered');
  });

  it('is refused if the outcome of its reservation is unknown; the credit is released when the ledger is back', async () => {
    const requestId = randomUUID();
    fetcher.ledger.setAway(true);
    expect(await codeOf(fetcher.get({ videoId: loadVideoId(6), requestId }))).toBe('service_unavailable');
    await fetcher.restoreLedger();
    await eventually(async () => expect(fetcher.ledger.stateOf(requestId)).toBe('released'));
    expect(fetcher.simulator.requests().total).toBe(0);
  });

  it('survives a restart of the fetcher in between: it is delivered and settled once', async () => {
    fetcher.simulator.setLatency(1_000);
    const requestId = randomUUID();
    await fetcher.get({ videoId: loadVideoId(7), requestId, waitMs: 50 });
    await fetcher.restart();
    fetcher.simulator.setLatency(0);
    const answer = await fetcher.poll(requestId);
    expect(answer).toMatchObject({ state: 'delivered', creditsCharged: 1 });
    await settled(requestId);
  });

  it('is never started if only the cache may answer', async () => {
    expect(await codeOf(fetcher.get({ videoId: loadVideoId(8), cacheOnly: true }))).toBe(
      'transcript_not_ready',
    );
    expect(fetcher.simulator.requests().total).toBe(0);
  });

  it('leaves no reservation open', async () => {
    await eventually(async () => expect(fetcher.ledger.count('held')).toBe(0));
  });
});
