import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { search as contract, ReplyOf } from '@tds/contracts';
import { giantChannel, WORD_OF_NOTHING } from '@tds/simulators/platform';
import { codeOf, eventually } from '@tds/test-kit';
import { startSearch, type TestSearch } from '../test-support/start-search.ts';

type Page = ReplyOf<typeof contract.searchPage>;
const idsOf = ({ results }: Page) => results.map((result) => result.video_id);

let search: TestSearch;
beforeAll(async () => {
  search = await startSearch();
});
afterAll(() => search?.stop());
afterEach(() => {
  search.simulator.faults.clear();
  search.simulator.resetRequests();
  for (const step of ['reserveItems', 'resolveItems'] as const) search.ledger.fail(step, null);
  search.ledger.loseAnswer('resolveItems', false);
});

/** New words and a new key. */
const fresh = () => ({ words: `words ${randomUUID()}`, given: { keyId: randomUUID() } });

describe('a page of a search', () => {
  it('costs one credit, and shows which videos are cached', async () => {
    const { words, given } = fresh();
    const requestId = randomUUID();
    const page = await search.find(words, { ...given, requestId });
    expect(page).toMatchObject({ creditsCharged: 1, creditsLeft: 9_999, continuation: expect.any(String) });
    expect(page.results).toHaveLength(20);
    expect(search.ledger.paid(requestId)).toBe(1);
    search.cachedVideos.set(idsOf(page)[3]!, null);
    const again = await search.find(words, given);
    expect(again.results.map((result) => result.cached)).toEqual(
      page.results.map((_result, index) => index === 3),
    );
  });

  it('is free again for the same key within 60 seconds, and charged after', async () => {
    const { words, given } = fresh();
    const first = await search.find(words, given);
    search.simulator.resetRequests();
    const replay = await search.find(words, given);
    expect(replay).toMatchObject({ creditsCharged: 0, continuation: first.continuation });
    expect([idsOf(replay), search.simulator.requests().total]).toEqual([idsOf(first), 0]);
    expect(await search.find(words, { keyId: randomUUID() })).toMatchObject({ creditsCharged: 1 });
    search.clock.advance(61_000);
    expect(await search.find(words, given)).toMatchObject({ creditsCharged: 1 });
  });

  it('of the same request twice is charged once', async () => {
    const { words, given } = fresh();
    const requestId = randomUUID();
    await search.find(words, { ...given, requestId });
    search.clock.advance(61_000);
    expect(await search.find(words, { ...given, requestId })).toMatchObject({ creditsCharged: 1 });
    expect(search.ledger.requests.filter(({ ref }) => ref === requestId)).toHaveLength(1);
  });

  it('has a continuation to the next, except the last', async () => {
    const { words, given } = fresh();
    const ids: unknown[] = [];
    let continuation: string | null = null;
    do {
      const page: Page = await search.find(words, { ...given, continuation });
      ids.push(...idsOf(page));
      continuation = page.continuation;
    } while (continuation !== null);
    expect(ids.length).toBeGreaterThan(80);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('without results costs a credit too', async () => {
    const { given } = fresh();
    const page = await search.find(WORD_OF_NOTHING, given);
    expect(page).toMatchObject({ results: [], continuation: null, creditsCharged: 1 });
  });

  it('has channels or playlists if these are requested', async () => {
    const { words, given } = fresh();
    const [channels, playlists] = [
      await search.find(words, { ...given, type: 'channel' }),
      await search.find(words, { ...given, type: 'playlist' }),
    ];
    expect(channels.results.every((result) => result.channel_id?.startsWith('UC'))).toBe(true);
    expect(playlists.results.every((result) => result.playlist_id !== undefined)).toBe(true);
    expect(playlists.results.some((result) => 'cached' in result)).toBe(false);
  });

  it('inside a channel has its videos only, by any name of the channel', async () => {
    const { words, given } = fresh();
    for (const channel of [giantChannel.id, giantChannel.handle]) {
      const page = await search.find(words, { ...given, channel });
      expect(idsOf(page).filter((id) => !id?.startsWith('giant'))).toEqual([]);
    }
    expect(await codeOf(search.find(words, { ...given, channel: 'https://youtu.be/dQw4w9WgXcQ' }))).toBe(
      'invalid_channel',
    );
  });
});

describe('a continuation', () => {
  it.each([
    ['other words', 'other words', {}],
    ['another type', 'bound words', { type: 'channel' }],
    ['a channel', 'bound words', { channel: giantChannel.id }],
    ['another account', 'bound words', { accountId: randomUUID() }],
  ] as const)('is refused with %s', async (_, words, changed) => {
    const { given } = fresh();
    const { continuation } = await search.find('bound words', given);
    expect(await codeOf(search.find(words, { ...given, continuation, ...changed }))).toBe(
      'invalid_continuation',
    );
    expect(await codeOf(search.find('bound words', { ...given, continuation }))).toBe('answered');
  });

  it('that does not exist is rejected, and costs and counts nothing', async () => {
    const { given } = fresh();
    const before = search.ledger.requests.length;
    expect(await codeOf(search.find('bound words', { ...given, continuation: 'x'.repeat(32) }))).toBe(
      'invalid_continuation',
    );
    expect(search.ledger.requests.length).toBe(before);
  });
});

describe('a search that fails costs nothing', () => {
  it.each([
    ['garbage', 'upstream_error'],
    ['html', 'upstream_error'],
    ['too_many_requests', 'ip_blocked'],
    ['server_error', 'upstream_error'],
    ['truncated_json', 'upstream_error'],
  ] as const)('if the platform answers with %s', async (fault, code) => {
    search.simulator.faults.add({ match: { endpoint: 'search' }, fault });
    const { words, given } = fresh();
    const requestId = randomUUID();
    expect(await codeOf(search.find(words, { ...given, requestId }))).toBe(code);
    expect([search.ledger.held(requestId), search.ledger.paid(requestId)]).toEqual([[], 0]);
  });

  it('if the ledger rejects it: it was not admitted', async () => {
    const { words, given } = fresh();
    const account = search.ledger.books().account(search.account);
    const { free } = account;
    account.free = 0;
    for (let tries = 0; tries < 160; tries += 1) {
      expect(await codeOf(search.find(words, given))).toBe('insufficient_credits');
    }
    account.free = free;
    expect(await codeOf(search.find(words, given))).toBe('answered');
  });

  it('if the page cannot be settled: no page, and the credit is released', async () => {
    const { words, given } = fresh();
    const requestId = randomUUID();
    search.ledger.fail('resolveItems', 'service_unavailable');
    expect(await codeOf(search.find(words, { ...given, requestId }))).toBe('search_settlement_failed');
    search.ledger.fail('resolveItems', null);
    await eventually(() => expect(search.ledger.held(requestId)).toEqual([]));
    expect(search.ledger.paid(requestId)).toBe(0);
  });

  it('if the answer of its settlement is lost for good: the charge is refunded', async () => {
    const { words, given } = fresh();
    const requestId = randomUUID();
    search.ledger.loseAnswer('resolveItems', true);
    expect(await codeOf(search.find(words, { ...given, requestId }))).toBe('search_settlement_failed');
    expect(search.ledger.paid(requestId)).toBe(1);
    search.ledger.loseAnswer('resolveItems', false);
    await eventually(() => expect(search.ledger.paid(requestId)).toBe(0));
    expect(await search.find(words, given)).toMatchObject({ creditsCharged: 1 });
  });

  it('if the answer of the database to its delivery is lost: an internal error, so that it is voided', async () => {
    const { words, given } = fresh();
    const requestId = randomUUID();
    const pool = search.kit().db;
    const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>;
    const spied = jest.spyOn(pool, 'query') as unknown as jest.Mock<typeof query>;
    spied.mockImplementation(async (...asked) => {
      const answer = await query(...asked);
      if (/UPDATE.*delivered/s.test(JSON.stringify(asked))) throw new Error('Query read timeout');
      return answer;
    });
    const code = await codeOf(search.find(words, { ...given, requestId }));
    spied.mockRestore();
    expect([code, search.ledger.paid(requestId)]).toEqual(['service_unavailable', 1]);
    await search.waive(requestId);
    await eventually(() => expect(search.ledger.paid(requestId)).toBe(0));
  });

  it('if its request is voided after its delivery, or before it arrives', async () => {
    const { words, given } = fresh();
    const [late, early] = [randomUUID(), randomUUID()];
    await search.find(words, { ...given, requestId: late });
    await search.waive(late);
    await search.waive(late);
    await eventually(() => expect(search.ledger.paid(late)).toBe(0));
    await search.waive(early);
    expect(await codeOf(search.find(words, { ...given, requestId: early }))).toBe('service_unavailable');
    expect(search.ledger.books().find(early)).toEqual([]);
  });
});

describe('admission', () => {
  it('runs the same question of a key once at a time', async () => {
    const { words, given } = fresh();
    search.simulator.setLatency(300);
    const answers = await Promise.all([1, 2, 3].map(() => codeOf(search.find(words, given))));
    search.simulator.setLatency(0);
    expect(answers.toSorted()).toEqual(['answered', 'search_in_progress', 'search_in_progress']);
  });

  it('allows 50 pages a day for a free key; replays do not count, and the day ends at 00:00 UTC', async () => {
    const { given } = fresh();
    for (let page = 0; page < 50; page += 1) await search.find(`page ${page}`, given);
    expect(await codeOf(search.find('page 49', given))).toBe('answered');
    expect(await codeOf(search.find('one more', given))).toBe('search_attempt_cap');
    search.clock.set('2026-11-21T00:00:01.000Z');
    expect(await codeOf(search.find('one more', given))).toBe('answered');
  });

  it('allows 150 attempts a day for a free key, failed ones included', async () => {
    const { given } = fresh();
    search.simulator.faults.add({ match: { endpoint: 'search' }, fault: 'server_error' });
    for (let attempt = 0; attempt < 150; attempt += 1) {
      expect(await codeOf(search.find(`attempt ${attempt}`, given))).not.toBe('answered');
    }
    search.simulator.faults.clear();
    expect(await codeOf(search.find('one more', given))).toBe('search_attempt_cap');
  });

  it('never exceeds the pages of the day with concurrent searches', async () => {
    const { given } = fresh();
    for (let page = 0; page < 45; page += 1) await search.find(`page ${page}`, given);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => codeOf(search.find(`at once ${index}`, given))),
    );
    const expected = [...Array(5).fill('answered'), ...Array(5).fill('search_attempt_cap')];
    expect(answers.toSorted()).toEqual(expected);
  });
});
