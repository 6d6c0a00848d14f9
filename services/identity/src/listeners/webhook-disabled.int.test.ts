import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookDispatcher } from '@tds/contracts';
import { delivered } from '@tds/service-kit/testing';
import { eventually } from '@tds/test-kit';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

const noticesTo = (to: string) =>
  running.smtp.mails.filter(
    (mail) => mail.to === to && mail.raw.includes('Subject: Your webhook was disabled'),
  );

describe('the holder of an account whose webhook was disabled', () => {
  it('is mailed once, with the host and nothing else of the address', async () => {
    const { accountId, email } = await running.signUp();
    const told = { accountId, host: 'hooks.example', version: 1 };
    const delivery = delivered(webhookDispatcher.webhookDisabled, told);
    for (let time = 0; time < 3; time += 1)
      await running.handlers().subscriptions.webhookDisabled(told, delivery);
    await eventually(() => expect(noticesTo(email)).toHaveLength(1));
    expect(noticesTo(email)[0]?.raw).toContain('hooks.example');
    expect(noticesTo(email)[0]?.raw).toContain(delivery.messageId);
    expect(webhookDispatcher.webhookDisabled.payload.shape).not.toHaveProperty('url');
    await eventually(async () => {
      const { rows } = await running
        .kit()
        .db.query('SELECT state FROM messaging.tasks WHERE name = $1', ['send-webhook-mail']);
      expect(rows).toEqual([{ state: 'done' }]);
    });
  });
});
