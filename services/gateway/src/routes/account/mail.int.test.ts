import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { newBalance, newPrincipal } from '../../test-support/builders.ts';
import { newJob } from '../../test-support/jobs.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const dashboard = { cookie: `svc_dashboard=${createSessionToken()}`, 'x-service-dashboard': '1' };
const TOKEN = '0199c3a0-0000-7000-8000-000000000001.mac-_1';
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
  const holder = newPrincipal({ keyId: null });
  harness.identity.commands.authenticateSession = async () => holder;
  harness.identity.commands.stopEventMails = async ({ token }) => {
    if (token !== TOKEN) throw serviceError('invalid_mail_token');
    return {};
  };
  harness.identity.commands.changeMailChoices = async ({ choices }) => {
    const { time_zone = 'UTC', digest_hour = 8, digest_day = 1, event_mails = true } = choices;
    if (time_zone === 'Mars/Olympus') throw serviceError('invalid_time_zone');
    return { time_zone, digest_hour, digest_day, event_mails };
  };
  let mailThreshold: number | null = null;
  harness.ledger.commands.setMailThreshold = async ({ threshold }) => {
    mailThreshold = threshold;
    return {};
  };
  harness.ledger.commands.getBalance = async ({ accountId }) => ({ ...newBalance(accountId), mailThreshold });
});
afterAll(() => harness?.stop());
beforeEach(() => void harness.identity.asked.splice(0));

const stops = () => harness.identity.asked.filter(({ name }) => name === 'stopEventMails');
const page = (token: string) => request(harness.url).get(`/v1/mail/stop?link=${token}`);
const post = (token: string) => request(harness.url).post(`/v1/mail/stop?link=${token}`);

describe('the link in a mail', () => {
  it('shows a page with one button and ends nothing, also for a program that only opens it', async () => {
    const { status, headers, text } = await page(TOKEN);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(text).toContain(`<form method="post" action="/v1/mail/stop?link=${TOKEN}">`);
    expect((await request(harness.url).head(`/v1/mail/stop?link=${TOKEN}`)).status).toBe(200);
    expect(stops()).toEqual([]);
  });

  it.each<[string, string | undefined, string | undefined]>([
    ['a mail program (RFC 8058)', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'another one',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['the button', 'application/x-www-form-urlencoded', ''],
    ['a program without a body', undefined, undefined],
    ['a program with any body', 'application/json', '{"x":'],
  ])('ends the mails by one click of %s', async (_, type, body) => {
    const sent = type === undefined ? post(TOKEN) : post(TOKEN).set('Content-Type', type);
    const { status, text } = body === undefined ? await sent : await sent.send(body);
    expect([status, stops().length]).toEqual([200, 1]);
    expect(text).toContain('You get no more mails about monitors and jobs');
  });

  it.each(['', 'x', '%22%3E%3Cscript%3E', 'a'.repeat(201), `${TOKEN}%00`, '%ff', `${TOKEN}&link=x`])(
    'with the spoiled token %j is an error of the envelope and no page',
    async (token) => {
      for (const answer of [await post(token), ...(token === 'x' ? [] : [await page(token)])]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ ok: false });
        expect(answer.text).not.toContain('<script');
      }
    },
  );
});

describe('PATCH /v1/account/mail', () => {
  const patch = (body: object) => request(harness.url).patch('/v1/account/mail').set(dashboard).send(body);

  it('changes what is sent, and answers all settings', async () => {
    const choices = { time_zone: 'Asia/Kolkata', digest_hour: 0, digest_day: 7, event_mails: false };
    const first = await patch({ ...choices, low_balance_threshold: 20 });
    expect(first.body).toEqual({ ok: true, mail: { ...choices, low_balance_threshold: 20 } });
    const second = await patch({ digest_hour: 7 });
    const others = { time_zone: 'UTC', event_mails: true, low_balance_threshold: 20 };
    expect(second.body.mail).toEqual({ digest_hour: 7, digest_day: 1, ...others });
    const shown = await request(harness.url).get('/v1/account').set(dashboard);
    expect(shown.body.mail).toMatchObject({ digest_hour: 8, digest_day: 1, low_balance_threshold: 20 });
    expect((await patch({ low_balance_threshold: null })).body.mail.low_balance_threshold).toBeNull();
  });

  it('is for the session of a person, not for a key', async () => {
    const asked = request(harness.url).patch('/v1/account/mail').set(account.bearer);
    expect((await asked.send({ low_balance_threshold: 5 })).body.code).toBe('session_required');
  });

  it.each<[object, string]>([
    [{ event_mails: 'false' }, 'invalid_event_mails'],
    [{ time_zone: 'Mars/Olympus' }, 'invalid_time_zone'],
    [{ time_zone: '' }, 'invalid_time_zone'],
    [{ time_zone: '+05:30' }, 'invalid_time_zone'],
    [{ time_zone: "UTC'; DROP TABLE digests" }, 'invalid_time_zone'],
    [{ time_zone: 7 }, 'invalid_time_zone'],
    [{ time_zone: null }, 'invalid_time_zone'],
    [{ time_zone: 'a\u0000b' }, 'invalid_time_zone'],
    [{ time_zone: 'x'.repeat(65) }, 'invalid_time_zone'],
    [{ digest_day: 0 }, 'invalid_digest_day'],
    [{ digest_day: 8 }, 'invalid_digest_day'],
    [{ digest_hour: 24 }, 'invalid_digest_hour'],
    [{ digest_hour: -1 }, 'invalid_digest_hour'],
    [{ digest_hour: 7.5 }, 'invalid_digest_hour'],
    [{ digest_hour: '7' }, 'invalid_digest_hour'],
    [{ low_balance_threshold: 0 }, 'webhook_threshold_invalid'],
    [{ low_balance_threshold: 1e10 }, 'webhook_threshold_invalid'],
    [{ hour: 7 }, 'unknown_parameter'],
  ])('rejects %j with %s', async (body, code) => {
    const answer = await patch(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});

describe('the mails of a job', () => {
  const create = async (wish: object) => {
    const { bearer } = account;
    const body = { video_ids: ['dQw4w9WgXcQ'], ...wish };
    const answer = await request(harness.url).post('/v1/jobs').set(bearer).send(body);
    return { answer, asked: harness.jobs.asked.splice(0).map((one) => one.request) };
  };
  beforeEach(() => {
    harness.jobs.commands.createJob = async () => ({ job: { ...newJob(), videos: [] }, isReplayed: false });
  });

  it.each([
    [{}, false, false],
    [{ notify_email: true }, true, false],
    [{ mail: 'now' }, true, false],
    [{ mail: 'daily', notify_email: true }, false, true],
    [{ mail: 'none', notify_email: true }, false, false],
  ])('are passed on as %j says', async (wish, notifyEmail, dailyMail) => {
    const { answer, asked } = await create(wish);
    expect([answer.status, asked]).toMatchObject([202, [{ notifyEmail, dailyMail }]]);
  });

  it.each(['weekly', null, true])('%j are rejected before a service is called', async (mail) => {
    const { answer, asked } = await create({ mail });
    expect([answer.status, answer.body.code, asked]).toEqual([400, 'invalid_mail', []]);
  });
});
