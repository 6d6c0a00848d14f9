import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookDispatcher } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { eventually } from '@tds/test-kit';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running.stop());

/** The event, delivered as its stream delivers it; the inbox of the service says whether it is new. */
const tell = (accountId: string, messageId: string) =>
  running.handlers.subscriptions.webhookDisabled(
    { accountId, host: 'hooks.example', version: 1 },
    {
      ...testContext(),
      messageId,
      once: async (tx, effect) => {
        const [isNew] = await tx.$queryRawUnsafe<unknown[]>(
          `INSERT INTO messaging.inbox (consumer, message_id) VALUES ('test', $1::uuid) ON CONFLICT DO NOTHING RETURNING 1`,
          messageId,
        );
        if (isNew) await effect();
      },
      onceIfNewest: () => Promise.reject(new Error('not used')),
    },
  );
const noticesTo = (to: string) =>
  running.smtp.mails.filter(
    (mail) => mail.to === to && mail.raw.includes('Subject: Your webhook was disabled'),
  );

describe('the holder of an account whose webhook was disabled', () => {
  it('is mailed once, with the host and nothing else of the address', async () => {
    const { accountId, email } = await running.signUp();
    const messageId = randomUUID();
    for (let time = 0; time < 3; time += 1) await tell(accountId, messageId);
    await eventually(() => expect(noticesTo(email)).toHaveLength(1));
    expect(noticesTo(email)[0]?.raw).toContain('hooks.example');
    expect(noticesTo(email)[0]?.raw).toContain(messageId);
    expect(webhookDispatcher.webhookDisabled.payload.shape).not.toHaveProperty('url');
    await eventually(async () => {
      const { rows } = await running.kit.db.query('SELECT state FROM messaging.tasks WHERE name = $1', [
        'send-webhook-mail',
      ]);
      expect(rows).toEqual([{ state: 'done' }]);
    });
  });
});
