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
        video: { video_id: 'dQw4w9WgXcQ', title: 'A', channel_title: null, published_at: null },
      },
      passages: [{ start: 61.5, text: 'A.', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=61s' }],
    };
    harness.fetcher.commands.tryWords = async () => ({ transcripts: 3, matches: [match] });
    harness.search.commands.resolveChannel = async () => ({ channelId: channel });
    const answer = await send('post', '/v1/library/words', { words: ['a'], channel: '@handle' });
    expect([answer.status, answer.body]).toEqual([
      ...[200, { ok: true, transcripts: 3, matches: [match], hint: null }],
    ]);
    expect(answer.headers['x-credits-charged']).toBe('0');
    expect(harness.fetcher.asked.at(-1)?.request).toEqual({
      ...{ accountId: account.principal.accountId, words: ['a'], channelId: channel, monitorId: null },
    });
  });

  it('that there is nothing to try in say what fetches it, and for how much', async () => {
    harness.fetcher.commands.tryWords = async () => ({ transcripts: 0, matches: [] });
    harness.search.commands.resolveChannel = async () => ({ channelId: channel });
    const { body } = await send('post', '/v1/library/words', { words: ['a'], channel: '@handle' });
    expect(body.hint).toMatch(
      new RegExp(`POST /v1/jobs with input ${channel} and newest 10 .* at most 10 credits`),
    );
  });

  it('of all monitors are one list, in CSV with a line for each sentence, for keys alone', async () => {
    const [{ id: monitorId }, matchId] = [newMonitor(), '11111111-2222-4333-8444-555555555555'];
    const passage = (start: number) => ({
      start,
      text: `=At ${start}.`,
      words: 'At',
      url: `https://a/?t=${start}s`,
    });
    const match = {
      ...{ id: matchId, query: 'at', language: 'en', translated: false, monitor_id: monitorId },
      ...{ passages: [passage(1), passage(2)], found_at: '2026-01-15T12:00:00.000Z' },
      video: { video_id: 'dQw4w9WgXcQ', title: 'A', channel_title: null, published_at: null },
    };
    harness.fetcher.commands.listAccountMatches = async () => ({ matches: [match], total: 3 });
    const list = (query: string, as: Record<string, string>) =>
      request(harness.url).get(`/v1/matches?${query}`).set(as);
    const page = await list(`limit=1&monitor_id=${monitorId}`, account.bearer);
    expect(page.body).toMatchObject({ matches: [match], total: 3 });
    expect(page.body.next).toBe(`/v1/matches?monitor_id=${monitorId}&limit=1&offset=1`);
    expect(harness.fetcher.asked.at(-1)?.request).toMatchObject({ monitorId, limit: 1, offset: 0 });
    const table = await list('format=csv&limit=1', account.bearer);
    const [header, ...lines] = table.text.trim().split('\r\n');
    expect(header).toContain('query,video_video_id,video_title');
    expect(lines.map((line) => line.match(/'=At \d\.,At,https:[^,]+/)?.[0])).toEqual([
      "'=At 1.,At,https://a/?t=1s",
      "'=At 2.,At,https://a/?t=2s",
    ]);
    expect(table.headers.link).toBe('</v1/matches?format=csv&limit=1&offset=1>; rel="next"');
    expect((await list('', cookie)).status).toBe(403);
    expect((await list('monitor_id=1', account.bearer)).body.code).toBe('invalid_monitor_id');
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
