import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSessionToken, MAX_MATCH_PASSAGES } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { newPrincipal } from '../../test-support/builders.ts';
import { newFeed, newMonitor } from '../../test-support/monitors.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const TIME = '2026-01-15T12:00:00.000Z';
const dashboard = { cookie: `svc_dashboard=${createSessionToken()}`, 'x-service-dashboard': '1' };
const holder = newPrincipal({ keyId: null });
let nowMs = 1_000;
let harness: TestGateway;
let existing: Map<string, string | null>;

beforeAll(async () => {
  harness = await startTestGateway({ overrides: { clock: () => nowMs } });
  harness.identity.commands.authenticateSession = async () => holder;
});
afterAll(() => harness?.stop());
beforeEach(() => {
  existing = new Map();
  const { commands } = harness.monitors;
  commands.changeFeed = async ({ monitorId, isEnded }) => {
    for (const [id, monitor] of existing) if (monitor === monitorId) existing.delete(id);
    if (isEnded) return { feed: null };
    const id = randomUUID();
    existing.set(id, monitorId);
    return { feed: newFeed(monitorId, id) };
  };
  commands.listFeeds = async () => ({
    feeds: [...existing].map(([id, monitor]) => newFeed(monitor, id)),
  });
  commands.getFeed = async ({ feedId }) => {
    const monitor = existing.get(feedId);
    if (monitor === undefined) throw serviceError('feed_not_found');
    return {
      accountId: holder.accountId,
      feed: newFeed(monitor, feedId),
      monitor: monitor === null ? null : newMonitor({ id: monitor, title: 'A & B' }),
    };
  };
  for (const { asked } of [harness.monitors, harness.fetcher]) asked.length = 0;
});

const create = (body: object = {}, as: Record<string, string> = dashboard) =>
  request(harness.url).post('/v1/feeds').set(as).send(body);
const urlOf = async (body?: object): Promise<string> => new URL((await create(body)).body.feed.url).pathname;
const read = (path: string, headers: Record<string, string> = {}) =>
  request(harness.url).get(path).set(headers).buffer(true);
const textOf = async (path: string) => String((await read(path)).text ?? (await read(path)).body);
const asked = () => harness.monitors.asked.filter(({ name }) => name === 'getFeed').length;

const match = {
  ...{ id: '11111111-2222-4333-8444-555555555555', query: '"<b>night"', language: 'en', translated: true },
  video: {
    video_id: 'dQw4w9WgXcQ',
    title: 'A <script>x</script> & &lt; שלום \uffff',
    published_at: null,
    channel_title: 'Quay & co',
  },
  passages: [{ start: 3_661.5, text: '<i>Night</i> & day', words: 'Night', url: 'https://a/?v=1&t=3661s' }],
  ...{ found_at: TIME, monitor_id: newMonitor().id },
};

describe('a feed', () => {
  it('says that a match may have more places than the first ones', async () => {
    const passages = Array.from({ length: MAX_MATCH_PASSAGES }, () => match.passages[0]!);
    harness.fetcher.commands.listAccountMatches = async () => ({ matches: [{ ...match, passages }], total: 1 });
    expect(await textOf(await urlOf())).toContain('&lt;p&gt;And perhaps more places.&lt;/p&gt;');
  });

  it('of all matches has them as entries whose page is the first link, for readers that run markup', async () => {
    harness.fetcher.commands.listAccountMatches = async () => ({ matches: [match], total: 1 });
    const path = await urlOf();
    const { status, headers } = await read(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(headers).toMatchObject({ 'cache-control': 'private, max-age=60', 'x-robots-tag': 'noindex' });
    expect(headers).not.toHaveProperty('content-encoding');
    const text = await textOf(path);
    expect(text).toContain(
      '<title>&quot;‹b&gt;night&quot; in \u2068A ‹script&gt;x‹/script&gt; &amp; ＆lt; שלום \u2069, Quay &amp; co</title>',
    );
    const page =
      'https://api.example/dashboard/read?video=dQw4w9WgXcQ&amp;language=en&amp;at=3661&amp;words=Night';
    expect(text).toContain(`<id>urn:uuid:${match.id}</id>`);
    expect(text).toContain(
      `<link href="${page}"/><content type="html">&lt;ul&gt;&lt;li dir=&quot;auto&quot;&gt;`,
    );
    expect(text).toContain(
      '&quot;https://a/?v=1&amp;amp;t=3661s&quot;&gt;01:01:01&lt;/a&gt; &amp;lt;i&amp;gt;Night',
    );
    expect(text).toContain('Translated by machine.');
    expect(text).not.toContain('more places');
    expect(text).toContain(`<link rel="self" type="application/atom+xml" href="https://api.example${path}"/>`);
    expect(text).not.toMatch(/<(script|i|b|ul)\b|\uffff/);
    expect(harness.fetcher.asked[0]?.request).toEqual({ accountId: holder.accountId, limit: 100, offset: 0 });
  });

  it('of a monitor without words has its videos, and keeps its ids when its address is renewed', async () => {
    const video = { video_id: 'dQw4w9WgXcQ', title: null, published_at: null, found_at: TIME, job_id: null };
    harness.monitors.commands.listMonitorVideos = async () => ({ videos: [video], total: 1 });
    const { id } = newMonitor();
    const [first, second] = [await urlOf({ monitor_id: id }), await urlOf({ monitor_id: id })];
    const idsOf = (text: string) => text.match(/<id>urn:uuid:[^<]+/g);
    expect((await read(first)).status).toBe(404);
    const text = await textOf(second);
    expect(text).toContain('<title>A &amp; B</title>');
    expect(text).toContain('href="https://api.example/dashboard/read?video=dQw4w9WgXcQ&amp;language=en"');
    const third = await textOf(await urlOf({ monitor_id: id }));
    expect(idsOf(third)).toEqual(idsOf(text));
    expect(idsOf(text)).toHaveLength(2);
  });

  it('is asked for once a minute, whoever comes how often, and is the same for who has it', async () => {
    const path = await urlOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(path)));
    const { etag = '' } = answers[0]?.headers ?? {};
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const same = await read(path, { 'if-none-match': `W/${etag}` });
    expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag]);
    expect([asked(), harness.fetcher.asked.length]).toEqual([1, 1]);
    nowMs += 61_000;
    await read(path);
    expect(asked()).toBe(2);
  });

  it('that ended is 404 within a minute, as an unknown one, which costs no request of a service', async () => {
    const path = await urlOf();
    expect((await read(path)).status).toBe(200);
    const [, , , id = '', secret = ''] = path.split('/');
    expect((await request(harness.url).delete('/v1/feeds').set(dashboard)).status).toBe(200);
    nowMs += 61_000;
    const before = await read(path);
    expect([before.status, before.body.code]).toEqual([404, 'feed_not_found']);
    await read(path);
    expect(asked()).toBe(2);
    const others = [`${randomUUID()}/${secret}`, `${id}/${secret}x`, `${id}/x`, `x/${secret}`, `${id}/atom.`];
    for (const other of others) {
      const { status, body } = await read(`/v1/feeds/${other}`);
      expect([status, body.code, body.message]).toEqual([404, 'feed_not_found', before.body.message]);
    }
    expect(asked()).toBe(2);
    const again = await request(harness.url).delete('/v1/feeds').set(dashboard);
    expect([again.status, again.body]).toEqual([200, { ok: true }]);
  });

  it('is asked for again if a service was away, and answers HEAD', async () => {
    const path = await urlOf();
    const { getFeed } = harness.monitors.commands;
    harness.monitors.commands.getFeed = async () => {
      throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
    };
    expect((await read(path)).status).toBe(503);
    harness.monitors.commands.getFeed = getFeed;
    const { status, headers } = await request(harness.url).head(path);
    expect([status, headers.etag]).toEqual([200, (await read(path)).headers.etag]);
  });

  it('is created and listed with its address for a session alone', async () => {
    const { bearer } = await harness.addAccount({ tier: 'paid' });
    expect((await create({}, bearer)).status).toBe(401);
    expect((await request(harness.url).get('/v1/feeds').set(bearer)).status).toBe(401);
    const { body, status } = await create();
    const list = await request(harness.url).get('/v1/feeds').set(dashboard);
    expect([status, list.body]).toEqual([201, { ok: true, feeds: [body.feed] }]);
    expect((await create({ monitor_id: '1' })).body.code).toBe('invalid_monitor_id');
  });
});
