import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { newPrincipal } from '../../test-support/builders.ts';
import { newMonitor } from '../../test-support/monitors.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const cookie = { cookie: `svc_dashboard=${createSessionToken()}` };
const dashboard = { ...cookie, 'x-service-dashboard': '1' };
const holder = newPrincipal({ keyId: null });
const channel = `UC${'x'.repeat(22)}`;
const MONITORS = '/v1/monitors';
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
  harness.identity.commands.authenticateSession = async () => holder;
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.monitors.asked.length = 0;
});

const asked = () => harness.monitors.asked.map(({ request: one }) => one);
const post = (body: object) => request(harness.url).post(MONITORS).set(account.bearer).send(body);

describe('POST /v1/monitors', () => {
  it('creates a monitor with the defaults: no jobs, English, fallback allowed', async () => {
    const { status, body, headers } = await post({ channel });
    expect([status, body.ok, body.idempotent]).toEqual([201, true, false]);
    expect(body.monitor).toMatchObject({ status: 'active', channel, playlist: null });
    expect(headers['x-credits-charged']).toBe('0');
    expect(asked()).toEqual([
      {
        ...{
          accountId: account.principal.accountId,
          tier: 'paid',
          keyId: account.principal.keyId,
          personId: account.principal.accountId,
          idempotencyKey: null,
          source: { channel, contents: 'all' },
        },
        ...{ autoFetch: false, words: [], mail: 'none', mailOnlyMatches: false },
        ...{ language: 'en', fallback: true, webhookUrl: null },
      },
    ]);
  });

  it('watches the tab that the address of a channel names, or the chosen contents', async () => {
    await post({ channel: '@a/shorts' });
    await post({ channel, contents: 'videos' });
    expect(asked()).toMatchObject([
      { source: { channel: '@a/shorts', contents: 'shorts' } },
      { source: { channel, contents: 'videos' } },
    ]);
    const refused = await post({ playlist: 'PL1', contents: 'shorts' });
    expect(refused.body.code).toBe('conflicting_query_modes');
  });

  it('answers 200 and idempotent if nothing was created', async () => {
    const { createMonitor } = harness.monitors.commands;
    harness.monitors.commands.createMonitor = async () => ({ monitor: newMonitor(), isIdempotent: true });
    const { status, body } = await post({ playlist: 'PL1' });
    expect([status, body.ok, body.idempotent]).toEqual([200, true, true]);
    harness.monitors.commands.createMonitor = createMonitor;
  });

  it.each([
    [{}, 'monitor_source_required'],
    [{ channel, playlist: 'PL1' }, 'conflicting_query_modes'],
    [{ channel: '' }, 'invalid_channel'],
    [{ channel: 5 }, 'invalid_channel'],
    [{ playlist: null }, 'invalid_playlist'],
    [{ channel, auto_fetch: 'yes' }, 'invalid_auto_fetch'],
    [{ channel, language: 'no such language' }, 'invalid_language'],
    [{ channel, language: 'de,original' }, 'invalid_language'],
    [{ channel, fallback: 'maybe' }, 'invalid_fallback'],
    [{ channel, webhook_url: 'ftp://a.example/' }, 'invalid_webhook_url'],
    [{ channel, format: 'srt' }, 'unknown_parameter'],
  ])('rejects %j with %s', async (body, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.headers['x-credits-charged']).toBe('0');
    expect(asked()).toEqual([]);
  });

  it('answers 404 NotFound, not retryable, if the platform has no such feed', async () => {
    harness.monitors.commands.createMonitor = async () => {
      throw serviceError('source_not_found');
    };
    const { status, body } = await post({ channel });
    expect({ status, ...body }).toMatchObject({ status: 404, errorClass: 'NotFound', retryable: false });
  });

  it('accepts no session: a monitor needs a key', async () => {
    const answer = await request(harness.url).post(MONITORS).set(dashboard).send({ channel });
    expect([answer.status, answer.body.errorClass]).toEqual([403, 'Forbidden']);
    expect(asked()).toEqual([]);
  });
});

describe('a dashboard session', () => {
  it('lists, inspects and cancels monitors', async () => {
    const { id } = newMonitor();
    const listed = await request(harness.url).get(MONITORS).set(cookie);
    expect(listed.body.monitors).toHaveLength(1);
    const read = await request(harness.url).get(`${MONITORS}/${id}`).set(cookie);
    expect(read.body.monitor.id).toBe(id);
    const cancelled = await request(harness.url).delete(`${MONITORS}/${id}`).set(dashboard);
    expect([cancelled.status, cancelled.body.monitor.status]).toEqual([200, 'cancelled']);
    const ofHolder = { accountId: holder.accountId };
    expect(asked()).toMatchObject([ofHolder, ofHolder, ofHolder]);
  });
});

describe('GET /v1/monitors', () => {
  it('reads on until it has 1,000 of them, and returns the next page', async () => {
    const all = Array.from({ length: 1_100 }, () => newMonitor());
    harness.monitors.commands.listMonitors = async ({ limit, offset }) => ({
      monitors: all.slice(offset, offset + Math.min(limit, 300)),
      total: all.length,
    });
    const { body } = await request(harness.url).get(MONITORS).set(account.bearer);
    expect(body.monitors).toEqual(all.slice(0, 1_000));
    expect(body).toMatchObject({ limit: 1_000, offset: 0, total: 1_100, has_more: true });
    const rest = await request(harness.url).get(body.next).set(account.bearer);
    expect(rest.body.monitors).toEqual(all.slice(1_000));
    expect(rest.body).toMatchObject({ has_more: false, next: null });
  });
});

describe('a change in the dashboard', () => {
  it('that may spend is by the key of the session, and another is not', async () => {
    const change = (body: object) =>
      request(harness.url).patch(`${MONITORS}/${newMonitor().id}`).set(dashboard).send(body);
    await change({ mail: 'daily' });
    expect(asked().at(-1)).toMatchObject({ keyId: null, mail: 'daily' });
    harness.identity.asked.length = 0;
    expect((await change({ auto_fetch: true })).status).toBe(200);
    const [created] = harness.identity.asked.filter(({ name }) => name === 'createDashboardKey');
    const { keyId } = (created as { request: unknown }).request as { keyId: string };
    expect(asked().at(-1)).toMatchObject({ keyId, autoFetch: true });
  });
});

describe('GET /v1/monitors/{id}/videos', () => {
  const video = {
    ...{ video_id: 'dQw4w9WgXcQ', title: 'A video', published_at: '2026-01-15' },
    ...{ found_at: '2026-01-15T12:00:00.000Z', job_id: null },
  };

  it('returns pages with the address of the next one, to the last', async () => {
    const { id } = newMonitor();
    harness.monitors.commands.listMonitorVideos = async ({ limit, offset }) => ({
      videos: [video, video, video].slice(offset, offset + limit),
      total: 3,
    });
    const get = async (address: string) =>
      (await request(harness.url).get(address).set(account.bearer)).body as Record<string, unknown>;
    const first = await get(`${MONITORS}/${id}/videos?limit=2`);
    expect(first).toMatchObject({ videos: [video, video], total: 3, limit: 2, offset: 0, has_more: true });
    const last = await get(String(first.next));
    expect(last).toMatchObject({
      videos: [video],
      total: 3,
      limit: 2,
      offset: 2,
      has_more: false,
      next: null,
    });
  });

  it.each([
    ['limit=0', 'invalid_limit'],
    ['limit=101', 'invalid_limit'],
    ['offset=-1', 'invalid_offset'],
    ['page=2', 'unknown_parameter'],
  ])('rejects %s with %s', async (query, code) => {
    const { status, body } = await request(harness.url)
      .get(`${MONITORS}/${newMonitor().id}/videos?${query}`)
      .set(account.bearer);
    expect([status, body.code]).toEqual([400, code]);
  });
});

describe('a monitor id in capitals', () => {
  it('is the same id', async () => {
    const { id } = newMonitor();
    const { status, body } = await request(harness.url)
      .get(`${MONITORS}/${id.toUpperCase()}`)
      .set(account.bearer);
    expect([status, body.monitor.id]).toEqual([200, id]);
  });
});

describe('an invalid monitor id', () => {
  it.each(['x', 'Ä'.repeat(32), '0'.repeat(31)])('is rejected: %s', async (id) => {
    for (const method of ['get', 'delete'] as const) {
      const { status, body } = await request(harness.url)[method](`${MONITORS}/${id}`).set(account.bearer);
      expect([status, body.code]).toEqual([400, 'invalid_monitor_id']);
    }
    expect(asked()).toEqual([]);
  });
});
