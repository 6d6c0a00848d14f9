import { randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { newPrincipal, newTranscript } from '../../test-support/builders.ts';
import { fakeLinks, newLink } from '../../test-support/links.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const sentences = ['It was <b>night</b> & dark.', 'The crane stood still.', 'לילה טוב לכולם.'];
const cues = sentences.map((text, at) => ({ start: at * 20, duration: 3, text }));
const FILE = JSON.stringify(cues);
let file = FILE;
let harness: TestGateway;
let fake: ReturnType<typeof fakeLinks>;
let bearer: Record<string, string>;

beforeAll(async () => {
  harness = await startTestGateway();
  ({ bearer } = await harness.addAccount({ tier: 'paid' }));
});
afterAll(() => harness?.stop());
beforeEach(() => {
  file = FILE;
  fake = fakeLinks(harness, () => file);
  harness.files.set(newTranscript(file).objectKey, deflateRawSync(file));
  harness.fetcher.asked.length = 0;
});

const create = (body: object = {}, headers: Record<string, string> = {}) =>
  request(harness.url)
    .post('/v1/links')
    .set({ ...bearer, ...headers })
    .send({ video_id: 'dQw4w9WgXcQ', ...body });
const pathOf = ({ body }: { body: { link: { url: string } } }) => new URL(body.link.url).pathname;
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const read = (path: string, headers: Record<string, string> = BROWSER) =>
  request(harness.url).get(path).set(headers).buffer(true);
const asked = (name: string) => harness.fetcher.asked.filter((one) => one.name === name);

describe('a page that is handed on', () => {
  it('has title, channel, language, text with seconds and nothing that runs, for who has its address', async () => {
    const made = await create();
    expect([made.status, made.body.link.url.startsWith('https://api.example/links/')]).toEqual([201, true]);
    const { status, headers, text } = await read(pathOf(made));
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; trusted-types 'none'; form-action 'none'",
    );
    for (const part of [
      '<h1 dir="auto">A title</h1>',
      '<bdi>Quay &amp; co</bdi>',
      '<bdi>English, recognised speech</bdi>',
      '<p dir="auto">It was &lt;b&gt;night&lt;/b&gt; &amp; dark.</p>',
      '<a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=20s">00:20</a><p dir="auto">The crane stood still.</p>',
      'לילה טוב לכולם.',
      '<meta name="robots" content="noindex">',
      '<meta property="og:title" content="A title">',
      '<meta property="og:description" content="It was &lt;b&gt;night&lt;/b&gt; &amp; dark.">',
      '<time datetime="2026-02-14T12:00:00.000Z">2026-02-14</time>',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/<(script|form|iframe|mark|b)\b|style=|Handed on by/);
    // Compressed: so it must not have its own address.
    expect(text).not.toContain(pathOf(made).split('/').at(-1));
    expect(asked('openLink')[0]?.request).toMatchObject({ isCounted: true });
  });

  it('marks its quote, leads to it, and says it in previews', async () => {
    const made = await create({ start: 20, end: 23 });
    expect(made.body.link.url).toMatch(/#quote$/);
    const { text } = await read(pathOf(made));
    expect(text).toContain('<p dir="auto"><mark id="quote">The crane stood still.</mark></p>');
    expect(text.match(/<mark/g)).toHaveLength(1);
    expect(text).toContain('<meta property="og:description" content="“The crane stood still.”">');
    expect(text).toContain('<a href="#quote">');
  });

  it('names its account by the name that it has, and says what was asked for', async () => {
    const made = await create({ language: 'es' });
    fake.state.accountName = 'Harbour <i>& co';
    const { text } = await read(pathOf(made));
    expect(text).toContain('Handed on by <bdi>Harbour &lt;i&gt;&amp; co</bdi>');
    expect(text).toContain('<bdi>English, recognised speech; Spanish was asked for</bdi>');
    fake.state.accountName = null;
    expect((await read(pathOf(made))).text).not.toContain('Harbour');
  });

  it('is Markdown with .md behind it, and to who prefers that', async () => {
    const path = pathOf(await create({ start: 20, end: 23 }));
    fake.state.accountName = 'Harbour *Research*';
    const answers = [await read(`${path}.md`), await read(path, { accept: 'text/markdown, text/html;q=0.5' })];
    for (const { status, headers, text } of answers) {
      expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(headers).toMatchObject({ 'x-robots-tag': 'noindex' });
      expect(headers.vary).toContain('Accept');
      expect(text).toMatch(
        /^# A title\n\n> The crane stood still\. \(\[00:20\]\(https:\/\/www\.youtube\.com\/watch\?v=dQw4w9WgXcQ&t=20s\)\)\n\nHanded on by Harbour \\\*Research\\\*\n\n- Video: /,
      );
      expect(text).toContain('- Channel: Quay & co');
    }
    expect((await read(path, { accept: '*/*' })).headers['content-type']).toContain('text/html');
  });

  it('counts no HEAD as a reader', async () => {
    const path = pathOf(await create());
    const { status, headers } = await request(harness.url).head(path).set(BROWSER);
    expect([status, headers['x-robots-tag']]).toEqual([200, 'noindex']);
    expect(asked('openLink')[0]?.request).toMatchObject({ isCounted: false });
  });

  it('is gone at once when it is taken back, and then as unknown as any address', async () => {
    const made = await create();
    const path = pathOf(made);
    expect((await read(path)).status).toBe(200);
    expect((await request(harness.url).delete(`/v1/links/${made.body.link.id}`).set(bearer)).status).toBe(200);
    const gone = await read(path);
    expect([gone.status, gone.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(gone.text).toContain('leads nowhere');
    const [, , id = '', secret = ''] = path.split('/');
    const before = asked('openLink').length;
    const others = [
      ...[
        `${randomUUID()}/${secret}`,
        `${id}/${secret}x`,
        `${id}/x`,
        `x/${secret}`,
        `${id}/l.`,
        `${id}/${secret}.md.md`,
      ],
      `${id}/${secret.replace('l.', 'm.')}`,
    ];
    for (const other of others) {
      const { status, text } = await read(`/links/${other}`);
      expect([other, status, text]).toEqual([other, 404, gone.text]);
      const envelope = await read(`/links/${other}`, { accept: 'application/json' });
      expect([envelope.status, envelope.body.code]).toEqual([404, 'link_not_found']);
    }
    expect(asked('openLink')).toHaveLength(before);
    expect((await read(`${path}.md`, { accept: '*/*' })).body.code).toBe('link_not_found');
  });

  it('waits when it is read too often, and no other link waits', async () => {
    const [path, other] = [pathOf(await create()), pathOf(await create())];
    const statuses: number[] = [];
    for (let round = 0; round < 61; round += 1)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => read(path)))).map(({ status }) => status),
      );
    expect(statuses.filter((status) => status === 200)).toHaveLength(600);
    expect(new Set(statuses.slice(600))).toEqual(new Set([429]));
    expect((await read(other)).status).toBe(200);
  });

  it('is an error that passes if the store has lost its text, or a service is away', async () => {
    const path = pathOf(await create());
    const { openLink } = harness.fetcher.commands;
    for (const code of ['cache_object_missing', 'service_unavailable'] as const) {
      harness.fetcher.commands.openLink = async () => {
        throw serviceError(code, { retryAfterSeconds: 2 });
      };
      const { status, body } = await read(path);
      expect([status >= 500, body.code]).toEqual([true, code]);
    }
    harness.fetcher.commands.openLink = openLink;
    expect((await read(path)).status).toBe(200);
  });

  it('of a large transcript is written in a thread, with all that was said', async () => {
    file = JSON.stringify(
      Array.from({ length: 6_000 }, (_, at) => ({
        start: at * 5,
        duration: 4,
        text: `This is sentence ${at}.`,
      })),
    );
    harness.files.set(newTranscript(file).objectKey, deflateRawSync(file));
    const { text } = await read(pathOf(await create({ start: 25_000, end: 25_010 })));
    expect(text.includes('sentence 5999.')).toBe(true);
    expect(/<mark.*?<\/mark>/.exec(text)?.[0]).toBe(
      '<mark id="quote">This is sentence 5000. This is sentence 5001.</mark>',
    );
  });
});

describe('links of an account', () => {
  it('are made with the default of 30 days, listed and shown with their addresses, by keys', async () => {
    const made = await create();
    expect(asked('createLink')[0]?.request).toMatchObject({
      videoId: 'dQw4w9WgXcQ',
      days: 30,
      idempotencyKey: null,
    });
    const list = await request(harness.url).get('/v1/links').set(bearer);
    expect(list.body).toEqual({ ok: true, links: [made.body.link] });
    const one = await request(harness.url).get(`/v1/links/${made.body.link.id}`).set(bearer);
    expect(one.body).toEqual({ ok: true, link: made.body.link });
  });

  it('say that a repeat is one', async () => {
    harness.fetcher.commands.createLink = async () => ({ link: newLink(), isReplayed: true });
    const { status, headers } = await create({}, { 'idempotency-key': 'once' });
    expect([status, headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(asked('createLink')[0]?.request).toMatchObject({ idempotencyKey: 'once' });
  });

  it.each<[object, string]>([
    [{ video_id: undefined }, 'unknown_query_mode'],
    [{ video_id: 'short' }, 'invalid_video_id'],
    [{ url: 'https://youtu.be/dQw4w9WgXcQ' }, 'conflicting_query_modes'],
    [{ days: 0 }, 'invalid_link_days'],
    [{ days: 91 }, 'invalid_link_days'],
    [{ days: 1.5 }, 'invalid_link_days'],
    [{ start: -1 }, 'invalid_quote'],
    [{ start: '5', end: 6 }, 'invalid_quote'],
    [{ language: 'english' }, 'invalid_language'],
    [{ title: 'Mine' }, 'unknown_parameter'],
  ])('are not made by a wrong use: %j', async (body, code) => {
    const answer = await create(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(asked('createLink')).toEqual([]);
  });

  it('are made neither without a key nor by a session, which may list and take them back', async () => {
    const holder = newPrincipal({ keyId: null });
    harness.identity.commands.authenticateSession = async () => holder;
    const cookie = { cookie: `svc_dashboard=${'x'.repeat(43)}`, 'x-service-dashboard': '1' };
    const body = { video_id: 'dQw4w9WgXcQ' };
    const post = (headers: Record<string, string>) =>
      request(harness.url).post('/v1/links').set(headers).send(body);
    expect((await post({})).status).toBe(403);
    expect((await post(cookie)).body.code).toBe('cookie_not_accepted');
    const id = (await create()).body.link.id;
    expect((await request(harness.url).get('/v1/links').set(cookie)).status).toBe(200);
    expect((await request(harness.url).delete(`/v1/links/${id}`).set(cookie)).status).toBe(200);
    expect(asked('endLink')[0]?.request).toMatchObject({ linkId: id, keyId: null });
    for (const method of ['get', 'delete'] as const)
      expect((await request(harness.url)[method]('/v1/links/x').set(bearer)).body.code).toBe('link_not_found');
  });
});
