import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { newPrincipal } from '../../test-support/builders.ts';
import { newMonitor } from '../../test-support/monitors.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const cookie = { cookie: `svc_dashboard=${createSessionToken()}` };
const channel = `UC${'x'.repeat(22)}`;
const MONITORS = '/v1/monitors';
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
  harness.identity.commands.authenticateSession = async () => newPrincipal({ keyId: null });
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.monitors.asked.length = 0;
});

const asked = () => harness.monitors.asked.map(({ request: one }) => one);
const post = (body: object) => request(harness.url).post(MONITORS).set(account.bearer).send(body);
const send = (method: 'post' | 'patch', path: string, body: object) =>
  request(harness.url)[method](path).set(account.bearer).send(body);
const ofMonitor = `${MONITORS}/${newMonitor().id}`;
const long = 'a'.repeat(201);

describe('words', () => {
  const bad: readonly (readonly [object, string])[] = [
    [{ words: 'harbour' }, 'invalid_words'],
    [{ words: { 0: 'harbour' } }, 'invalid_words'],
    [{ words: null }, 'invalid_words'],
    [{ words: ['harbour', 5] }, 'invalid_words'],
    [{ words: [['harbour']] }, 'invalid_words'],
    [{ words: [''] }, 'invalid_words'],
    [{ words: ['  '] }, 'invalid_words'],
    [{ words: ['a\u0000b'] }, 'invalid_words'],
    [{ words: ['a\nb'] }, 'invalid_words'],
    [{ words: ['\ud800'] }, 'invalid_words'],
    [{ words: [long] }, 'invalid_words'],
    [{ words: Array.from({ length: 21 }, (_, n) => `w${n}`) }, 'invalid_words'],
    [{ auto_fetch: 'yes' }, 'invalid_auto_fetch'],
    [{ word: ['harbour'] }, 'unknown_parameter'],
  ];

  it.each(bad)('%j is refused with %s by a new monitor and by a change of one', async (body, code) => {
    const made = await post({ channel, ...body });
    const changed = await send('patch', ofMonitor, body);
    expect([made.status, made.body.code, changed.status, changed.body.code]).toEqual([400, code, 400, code]);
    expect(asked()).toEqual([]);
  });

  it('are trimmed, count once each, and are asked for as they were sent', async () => {
    const words = [' "night shift" -crane ', 'harbour', 'harbour', '語'.repeat(200)];
    const sent = ['"night shift" -crane', 'harbour', '語'.repeat(200)];
    await post({ channel, auto_fetch: true, words });
    await send('patch', ofMonitor, { words, auto_fetch: true });
    expect(asked()).toMatchObject([
      { autoFetch: true, words: sent },
      { autoFetch: true, words: sent },
    ]);
  });

  it('that are not sent stay as they are', async () => {
    expect((await send('patch', ofMonitor, {})).status).toBe(200);
    expect((await send('patch', ofMonitor, { auto_fetch: false })).status).toBe(200);
    expect(asked().map((one) => Object.keys(one as object).toSorted())).toEqual([
      ['accountId', 'keyId', 'monitorId'],
      ['accountId', 'autoFetch', 'keyId', 'monitorId'],
    ]);
  });

  it.each([
    [{ words: [] }, 'invalid_words'],
    [{}, 'invalid_words'],
    [{ words: ['a'], channel: '' }, 'invalid_channel'],
    [{ words: ['a'], monitor_id: '1' }, 'invalid_monitor_id'],
    [{ words: ['a'], channel, monitor_id: newMonitor().id }, 'conflicting_query_modes'],
    [{ words: ['a'], q: 'b' }, 'unknown_parameter'],
  ])('%j cannot be tried: %s', async (body, code) => {
    const answer = await send('post', '/v1/library/words', body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('are tried on a channel by its id, for 0 credits', async () => {
    const match = {
      ...{
        query: 'a',
        language: 'en',
        translated: true,
        video: { video_id: 'dQw4w9WgXcQ', title: 'A', published_at: null },
      },
      passages: [{ start: 61.5, text: 'A.', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=61s' }],
    };
    harness.fetcher.commands.tryWords = async () => ({ transcripts: 3, matches: [match] });
    harness.search.commands.resolveChannel = async () => ({ channelId: channel });
    const answer = await send('post', '/v1/library/words', { words: ['a'], channel: '@handle' });
    expect([answer.status, answer.body]).toEqual([200, { ok: true, transcripts: 3, matches: [match] }]);
    expect(answer.headers['x-credits-charged']).toBe('0');
    expect(harness.fetcher.asked.at(-1)?.request).toEqual({
      ...{ accountId: account.principal.accountId, words: ['a'], channelId: channel, monitorId: null },
    });
  });

  it('that were found are listed page by page, for a key that has the monitor', async () => {
    const { id } = newMonitor();
    harness.fetcher.commands.listMatches = async () => ({ matches: [], total: 3 });
    const page = await request(harness.url).get(`${MONITORS}/${id}/matches?limit=2`).set(account.bearer);
    expect(page.body).toMatchObject({ ok: true, matches: [], total: 3, limit: 2, offset: 0 });
    expect((await request(harness.url).get(`${MONITORS}/${id}/matches`).set(cookie)).status).toBe(403);
    const { getMonitor } = harness.monitors.commands;
    harness.monitors.commands.getMonitor = async () => {
      throw serviceError('monitor_not_found');
    };
    const unknown = await request(harness.url).get(`${MONITORS}/${id}/matches`).set(account.bearer);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'monitor_not_found']);
    harness.monitors.commands.getMonitor = getMonitor;
  });
});
