import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type PayloadOf, webhookDispatcher } from '@tds/contracts';
import { createListenerContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createMailedEvents } from './test-support/mailed-events.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

type Change = PayloadOf<typeof webhookDispatcher.receiverChanged>;
let running: TestIdentity;
let mails: ReturnType<typeof createMailedEvents>;
beforeAll(async () => {
  running = await startIdentity();
  mails = createMailedEvents(running);
});
afterAll(() => running?.stop());

/** Hears a change twice, as after a lost acknowledgement. */
const hear = async (accountId: string, fields: Partial<Change>) => {
  const event: Change = {
    ...{ accountId, receiverId: newId(), name: 'Newsroom', form: 'slack', host: 'hooks.slack.com' },
    ...{ changes: [], disabledReason: null, keyId: null, state: null, version: 1, ...fields },
  };
  const delivery = createListenerContext(webhookDispatcher.receiverChanged, event);
  for (const _ of [1, 2]) await running.handlers().subscriptions.receiverChanged(event, delivery);
};

describe('the holder of a receiver', () => {
  it.each([
    ['gone', 'the address has ended'],
    ['failing', 'for five days'],
    ['secret_lost', 'a fault of ours'],
  ] as const)('is mailed once that it was disabled: %s', async (disabledReason, words) => {
    const { accountId, email } = await running.signUp();
    await hear(accountId, { changes: ['disabled'], disabledReason });
    const subject = 'Your receiver "Newsroom" was disabled';
    await eventually(() => expect(mails.mailsTo(email, subject)).toHaveLength(1));
    const [mail] = mails.mailsTo(email, subject);
    for (const part of [words, 'hooks[.]slack[.]com', '/dashboard/receivers']) expect(mail).toContain(part);
    await mails.allMailed();
    expect(mails.mailsTo(email, subject)).toHaveLength(1);
  });

  it('is mailed of changes, ten times a day, of an end always, and not of what changes nothing there', async () => {
    const { accountId, email } = await running.signUp();
    const [changed, disabled] = ['changed', 'disabled'].map(
      (word) => `Your receiver "Newsroom" was ${word}`,
    ) as [string, string];
    await hear(accountId, { changes: [] });
    for (let time = 0; time < 12; time += 1) await hear(accountId, { changes: ['created'] });
    await hear(accountId, { changes: ['disabled'], disabledReason: 'gone' });
    await mails.allMailed();
    await eventually(() => expect(mails.mailsTo(email, changed)).toHaveLength(10));
    await eventually(() => expect(mails.mailsTo(email, disabled)).toHaveLength(1));
    expect(mails.mailsTo(email, changed)[0]).toContain('It was created.');
  });
});
