import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { apiChanges } from '@tds/http-api';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { newTranscript } from '../../test-support/builders.ts';
import { newStatusReport } from '../../test-support/observed.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway({ overrides: { statusEveryMs: 100 } });
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.status.commands.getStatus = async () => newStatusReport();
});
const get = (path = '/v1/status') => request(harness.url).get(path);
const statusIs = (expected: object) =>
  eventually(async () => expect((await get()).body).toMatchObject(expected), {
    everyMs: 50,
  });
const away = async (): Promise<never> => {
  throw serviceError('service_unavailable');
};

describe('GET /v1/status', () => {
  it('needs no credential, ignores one, and has no account headers', async () => {
    const { body, status, headers } = await get().set('authorization', 'Bearer svc_live_wrong');
    expect([status, body.ok, body.status, body.new_fetches]).toEqual([200, true, 'operational', true]);
    expect(headers['cache-control']).toBe('no-store');
    for (const name of ['x-credits-charged', 'x-credits-balance', 'x-ratelimit-limit'])
      expect(headers).not.toHaveProperty(name);
    expect((await get('/v1/status?verbose=1')).body).toMatchObject({ code: 'unknown_parameter' });
    expect((await request(harness.url).post('/v1/status')).headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await request(harness.url).head('/v1/status')).status).toBe(200);
  });

  it('is answered from memory, without a call to a service', async () => {
    harness.status.asked.length = 0;
    const answers = await Promise.all(Array.from({ length: 300 }, () => get()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(harness.status.asked.length).toBeLessThan(100);
  });

  it('follows observations in both directions', async () => {
    harness.status.commands.getStatus = async () =>
      newStatusReport({ relay: 'down', impaired: ['relay', 'strategies'] });
    await statusIs({ status: 'degraded', new_fetches: false, relay: { status: 'down' } });
    harness.status.commands.getStatus = async () => newStatusReport();
    await statusIs({ status: 'operational', new_fetches: true });
  });

  it('has a metric of each impairment that it shows, for alerts', async () => {
    const impairedNow = async () => {
      const text = await (await fetch(`${harness.health}/metrics`)).text();
      return [...text.matchAll(/^tds_status_impaired\{.*part="(\w+)".*\} 1$/gm)].map(([, part]) => part);
    };
    const { getDayUsage } = harness.ledger.commands;
    harness.ledger.commands.getDayUsage = away;
    harness.status.commands.getStatus = async () =>
      newStatusReport({ capacity: 'down', impaired: ['capacity', 'canary'] });
    await eventually(async () => expect(await impairedNow()).toEqual(['capacity', 'canary', 'credits']));
    harness.ledger.commands.getDayUsage = getDayUsage;
    harness.status.commands.getStatus = async () => newStatusReport();
    await eventually(async () => expect(await impairedNow()).toEqual([]));
  });

  it('drops observations when the status service is away, and is operational as far as known', async () => {
    harness.status.commands.getStatus = away;
    await statusIs({ status: 'operational', canary: { status: 'unknown' }, strategies: [] });
  });

  it('detects services that do not answer', async () => {
    const { getDayUsage } = harness.ledger.commands;
    harness.ledger.commands.getDayUsage = away;
    await statusIs({ status: 'degraded', new_fetches: false, credits: { status: 'down' } });
    harness.ledger.commands.getDayUsage = getDayUsage;
    await statusIs({ status: 'operational', credits: { status: 'operational' } });
  });
});

describe('the page at /status', () => {
  it('has the words of the route, without scripts, and is always current', async () => {
    harness.status.commands.getHistory = async () => ({
      days: [
        { day: '2026-01-14', state: 'outage', impairedMinutes: 250 },
        { day: '2026-01-15', state: 'operational', impairedMinutes: 0 },
      ],
      incidents: [
        {
          beganAt: '2026-01-14T10:00:00.000Z',
          endedAt: '2026-01-14T14:10:00.000Z',
          impaired: ['strategies', 'canary'],
        },
      ],
    });
    harness.status.commands.getStatus = async () =>
      newStatusReport({ canary: { status: 'down', checked_at: null }, impaired: ['canary'] });
    await statusIs({ status: 'degraded' });
    const { text, headers } = await get('/status');
    expect(text).toMatch(/New transcripts <small>[^<]*<\/small><\/td><td class="state degraded">/);
    for (const { name } of newStatusReport().strategies) expect(text).not.toContain(name);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(text).toContain('New transcripts are impaired');
    expect(text).not.toMatch(/<script(?! src="\/assets\/)/);
    await eventually(
      async () => {
        const page = (await get('/status')).text;
        expect(page).toContain('2026-01-14: outage; a tenth of what was charged is given back (4.2 hours)');
        expect(page).toContain('the video platform delivered no captions; known videos could not be fetched');
      },
      { everyMs: 50 },
    );
    harness.status.commands.getStatus = async () => newStatusReport();
    await eventually(async () => expect((await get('/status')).text).toContain('<h2>Operational</h2>'));
  });
});

describe('latencies', () => {
  it('are reported as sums, of requests with keys only', async () => {
    const { bearer } = await harness.addAccount({ tier: 'paid' });
    const delivered = newTranscript('a file', { format: 'srt' });
    await harness.cache(delivered, 'a file');
    harness.status.asked.length = 0;
    const path = `/v1/transcript?video_id=${delivered.video.id}&format=srt&raw=1`;
    for (let read = 0; read < 3; read += 1) expect((await get(path).set(bearer)).status).toBe(200);
    expect((await get(path)).status).toBe(403);
    const reports = () =>
      harness.status.asked.flatMap(({ name, request: sent }) =>
        name === 'recordLatency' ? [sent as { slots: { cohort: string; counts: number[] }[] }] : [],
      );
    await eventually(
      () =>
        expect(
          reports()
            .at(-1)
            ?.slots.map(({ cohort, counts }) => [cohort, counts.reduce((sum, count) => sum + count, 0)]),
        ).toEqual([['transcript_cache_hits', 3]]),
      { everyMs: 100 },
    );
  });
});

describe('the changes of the API', () => {
  it('are dated entries, newest first, as JSON and as a feed with the same addresses', async () => {
    const { body } = await get('/v1/changes');
    const dates: string[] = body.changes.map(({ date }: { date: string }) => date);
    expect(dates).toEqual(apiChanges.map(({ date }) => date));
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    const feed = await get('/v1/changes.atom')
      .buffer(true)
      .parse((answer, done) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => {
          text += chunk;
        });
        answer.on('end', () => done(null, text));
      });
    expect(feed.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(body.feed_url).toBe('https://api.example/v1/changes.atom');
    for (const { url } of body.changes) expect(feed.body).toContain(`<link href="${url}"/>`);
    const page = await get('/docs/changes');
    for (const { date } of body.changes) expect(page.text).toContain(`id="${date}"`);
  });
});

it('a reader of the feed takes it once for each change, from a cache if there is one', async () => {
  const first = await get('/v1/changes.atom');
  const { etag = '' } = first.headers;
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/)]);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get('/v1/changes.atom').set('If-None-Match', known);
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=3600' });
  }
  expect((await get('/v1/changes.atom').set('If-None-Match', '"other"')).status).toBe(200);
  expect(first.headers['cache-control']).toBe('public, max-age=3600');
});

// The last: nothing behind the gateway comes back.
it('the status is answered even if all services are away', async () => {
  await Promise.all(
    [harness.status, harness.identity, harness.ledger, harness.fetcher].map(({ stop }) => stop()),
  );
  await statusIs({
    status: 'down',
    new_fetches: false,
    relay: { status: 'down' },
    accounts: { status: 'down' },
    credits: { status: 'down' },
    canary: { status: 'unknown' },
  });
});
