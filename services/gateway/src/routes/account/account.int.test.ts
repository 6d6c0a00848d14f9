import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { accountBody } from '@tds/http-api';
import request from 'supertest';
import { newAccountFacts, newBalance, newPrincipal } from '../../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const dashboard = { cookie: `svc_dashboard=${createSessionToken()}`, 'x-service-dashboard': '1' };
const holder = newPrincipal({ keyId: null });
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway({ overrides: { now: () => new Date('2026-12-31T23:59:59.999Z') } });
  account = await harness.addAccount({ tier: 'paid' });
  harness.identity.commands.authenticateSession = async () => holder;
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.identity.asked.length = 0;
});

const closings = () => harness.identity.asked.filter(({ name }) => name === 'closeAccount');
const close = (search: string, body?: object) =>
  request(harness.url).delete(`/v1/account${search}`).set(dashboard).send(body);

describe('the account summary', () => {
  it('has credits, the usage of the UTC day, limits of the tier and keys', async () => {
    const current = { id: account.principal.keyId as string, name: 'ci', prefix: 'svc_live_abc' };
    harness.identity.commands.getAccount = async ({ accountId: id }) =>
      newAccountFacts({ id, tier: 'paid' }, { limit: 5, current });
    harness.ledger.commands.getBalance = async ({ accountId }) =>
      newBalance(accountId, { free: 10, purchased: 20, reserved: 3, month: '2026-12' });
    harness.ledger.commands.getDayUsage = async ({ day }) => {
      expect(day).toBe('2026-12-31');
      return {
        requests: 9,
        cacheHits: 4,
        coldDeliveries: 3,
        jobRows: 2,
        searchPages: 1,
        failures: 2,
        creditsCharged: 3,
      };
    };
    const { body, status } = await request(harness.url).get('/v1/account').set(account.bearer);
    expect(status).toBe(200);
    expect(accountBody.parse(body)).toEqual({
      ok: true,
      account: {
        id: account.principal.accountId,
        email: 'you@example.com',
        name: null,
        status: 'active',
        frozen_reason: null,
        tier: 'paid',
        created_at: '2026-01-01T00:00:00.000Z',
      },
      credits: {
        free: 10,
        purchased: 20,
        reserved: 3,
        available: 30,
        debt: 0,
        free_resets_at: '2027-01-01T00:00:00.000Z',
      },
      usage_today: {
        date: '2026-12-31',
        requests: 9,
        cache_hits: 4,
        cold_deliveries: 3,
        job_rows: 2,
        search_pages: 1,
        failures: 2,
        credits_charged: 3,
      },
      limits: {
        requests_per_minute: 300,
        concurrent_cold_fetches: 10,
        cold_fetches_per_day: 20_000,
        cache_reads_per_day: 100_000,
        cold_enumerations_per_day: 25,
        live_keys: 5,
        active_jobs: 5,
        videos_per_job: 500,
        search_pages_per_day: 2_000,
        search_attempts_per_day: 6_000,
        archive_builds_per_day: 200,
        archive_bytes: 21_474_836_480,
        monitors: 25,
      },
      keys: { live: 1, limit: 5, current },
      mail: { time_zone: 'UTC', digest_hour: 8, digest_day: 1, event_mails: true, low_balance_threshold: null },
      support_email: 'support@service.localhost',
    });
  });

  it('of a frozen account has the reason, the debt and the contact, like its errors', async () => {
    const frozen = await harness.addAccount({ status: 'frozen' });
    harness.identity.commands.getAccount = async ({ accountId: id }) =>
      newAccountFacts({ id, status: 'frozen', frozen_reason: 'payment_disputed' });
    harness.ledger.commands.getBalance = async ({ accountId }) =>
      newBalance(accountId, { purchased: 0, debt: 34 });
    const { body } = await request(harness.url).get('/v1/account').set(frozen.bearer);
    expect(body).toMatchObject({
      account: { status: 'frozen', frozen_reason: 'payment_disputed' },
      credits: { debt: 34 },
      support_email: 'support@service.localhost',
    });
    const refused = await request(harness.url)
      .post('/v1/checkout?action=refund')
      .set(frozen.bearer)
      .send({ purchase_id: randomUUID() });
    expect(refused.body).toMatchObject({
      code: 'account_frozen',
      support_email: 'support@service.localhost',
    });
    expect(refused.body.message).toContain('support_email');
  });

  it('is open to a session for reading, without the dashboard header', async () => {
    const answer = await request(harness.url).get('/v1/account').set('cookie', dashboard.cookie);
    expect(answer.status).toBe(200);
    expect(answer.body.account.id).toBe(holder.accountId);
  });
});

describe('closing the account', () => {
  it('needs the resource and the address, and clears the cookie', async () => {
    const answer = await close('?resource=account', { confirm: 'you@example.com' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      account: { id: holder.accountId, status: 'closed', closed_at: '2026-01-15T12:00:00.000Z' },
    });
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^svc_dashboard=; Max-Age=0;/);
    expect(closings()).toMatchObject([
      { request: { accountId: holder.accountId, confirm: 'you@example.com' } },
    ]);
  });

  it.each([
    ['', { confirm: 'you@example.com' }, 'unknown_query_mode'],
    ['?resource=', { confirm: 'you@example.com' }, 'unknown_query_mode'],
    ['?resource=webhook', { confirm: 'you@example.com' }, 'unknown_parameter'],
    ['?resource=account&resource=account', { confirm: 'you@example.com' }, 'unknown_query_mode'],
    ['?resource=account', undefined, 'confirmation_required'],
    ['?resource=account', {}, 'confirmation_required'],
    ['?resource=account', { confirm: true }, 'confirmation_required'],
    ['?resource=account', { confirm: '' }, 'confirmation_required'],
  ])('never happens by mistake: %s %j is %s', async (search, body, code) => {
    const answer = await close(search, body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(closings()).toEqual([]);
  });

  it('is not allowed to a key', async () => {
    const answer = await request(harness.url)
      .delete('/v1/account?resource=account')
      .set(account.bearer)
      .send({ confirm: 'you@example.com' });
    expect([answer.status, answer.body.code]).toEqual([401, 'session_required']);
  });

  it('passes errors of identity on', async () => {
    harness.identity.commands.closeAccount = async () => {
      throw serviceError('confirmation_required');
    };
    const answer = await close('?resource=account', { confirm: 'other@example.com' });
    expect([answer.status, answer.body.code]).toEqual([400, 'confirmation_required']);
  });
});
