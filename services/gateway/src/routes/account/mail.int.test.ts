import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import request from 'supertest';
import { newBalance, newPrincipal } from '../../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const dashboard = { cookie: `svc_dashboard=${createSessionToken()}`, 'x-service-dashboard': '1' };
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
let mailThreshold: number | null = null;

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
  const holder = newPrincipal({ keyId: null });
  harness.identity.commands.authenticateSession = async () => holder;
  harness.ledger.commands.setMailThreshold = async ({ threshold }) => {
    mailThreshold = threshold;
    return {};
  };
  harness.ledger.commands.getBalance = async ({ accountId }) => ({ ...newBalance(accountId), mailThreshold });
});
afterAll(() => harness?.stop());

describe('PATCH /v1/account/mail', () => {
  const patch = (body: object) => request(harness.url).patch('/v1/account/mail').set(dashboard).send(body);

  it('sets the balance below which the holder is mailed, which the account then shows', async () => {
    const shown = async () => (await request(harness.url).get('/v1/account').set(dashboard)).body.mail;
    for (const threshold of [20, null]) {
      const mail = { low_balance_threshold: threshold };
      expect((await patch(mail)).body).toEqual({ ok: true, mail });
      expect(await shown()).toEqual(mail);
    }
  });

  it.each([{}, { low_balance_threshold: 0 }, { low_balance_threshold: 1.5 }, { low_balance_threshold: '5' }])(
    'refuses %j, and changes nothing',
    async (body) => {
      const { status, body: answer } = await patch(body);
      expect([status, answer.code, mailThreshold]).toEqual([400, 'webhook_threshold_invalid', null]);
    },
  );

  it('is for the session of a person, not for a key', async () => {
    const answer = await request(harness.url)
      .patch('/v1/account/mail')
      .set(account.bearer)
      .send({ low_balance_threshold: 5 });
    expect([answer.body.code, mailThreshold]).toEqual(['session_required', null]);
  });
});
