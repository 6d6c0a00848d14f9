import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { derivedId, webhookDispatcher } from '@tds/contracts';
import { createListenerContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createMailedEvents } from './test-support/mailed-events.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

let running: TestIdentity;
let mails: ReturnType<typeof createMailedEvents>;
beforeAll(async () => {
  running = await startIdentity();
  mails = createMailedEvents(running);
});
afterAll(() => running?.stop());

describe('the holder of a disabled webhook', () => {
  it('is mailed once, with the host but not the rest of the address', async () => {
    const { accountId, email } = await running.signUp();
    const event = { accountId, host: 'hooks.example', version: 1 };
    const delivery = createListenerContext(webhookDispatcher.webhookDisabled, event);
    for (let time = 0; time < 3; time += 1)
      await running.handlers().subscriptions.webhookDisabled(event, delivery);
    await eventually(() => expect(mails.mailsTo(email, 'Your webhook was disabled')).toHaveLength(1));
    const [mail] = mails.mailsTo(email, 'Your webhook was disabled');
    // The host is a caller's text, so it does not read as a link.
    expect(mail).toContain('hooks[.]example');
    expect(mail).not.toContain('hooks.example');
    expect(mail).toContain(derivedId(delivery.messageId, accountId));
    expect(webhookDispatcher.webhookDisabled.payload.shape).not.toHaveProperty('url');
    await mails.allMailed();
  });
});

describe('the holder of a changed webhook', () => {
  const SIX_HOURS_MS = 6 * 3_600_000;
  let webhookVersion = 0;
  const change = async (
    accountId: string,
    host: string,
    changes: ('created' | 'address' | 'secret' | 'disabled')[],
  ) => {
    const event = { accountId, host, changes, keyId: null, state: null, version: ++webhookVersion };
    const delivery = createListenerContext(webhookDispatcher.webhookChanged, event);
    for (let time = 0; time < 2; time += 1)
      await running.handlers().subscriptions.webhookChanged(event, delivery);
  };
  const changesTo = (email: string) => mails.mailsTo(email, 'Your webhook was changed');
  /** Ends the wait of the task, by the database's clock. */
  const endWait = (accountId: string) =>
    running.rows.makeDue('messaging.tasks', {
      where: "name = 'send-webhook-notice' AND state <> 'done' AND payload ->> 'accountId' = $1",
      values: [accountId],
    });

  it('is mailed once for each change, with the host and the changed fields', async () => {
    const { accountId, email } = await running.signUp();
    await change(accountId, 'hooks.example', ['address', 'secret']);
    await eventually(() => expect(changesTo(email)).toHaveLength(1));
    expect(changesTo(email)[0]).toContain('hooks[.]example');
    expect(changesTo(email)[0]).toContain('signing secret was replaced');
    expect(changesTo(email)[0]).not.toContain('hooks.example');
  });

  it('is mailed at most every six hours, and always about the last change', async () => {
    const { accountId, email } = await running.signUp();
    await change(accountId, 'first.example', ['created']);
    await eventually(() => expect(changesTo(email)).toHaveLength(1));
    for (let turn = 0; turn < 20; turn += 1) await change(accountId, `host-${turn}.example`, ['address']);
    expect(changesTo(email)).toHaveLength(1);
    running.clock.advance(SIX_HOURS_MS);
    await endWait(accountId);
    await eventually(() => expect(changesTo(email)).toHaveLength(2));
    expect(changesTo(email)[1]).toContain('host-19[.]example');
  });

  it('gets no such mail if only the threshold changed, or if it was disabled', async () => {
    const { accountId } = await running.signUp();
    await change(accountId, 'hooks.example', []);
    await change(accountId, 'hooks.example', ['disabled']);
    const { rows } = await running
      .kit()
      .db.query('SELECT 1 FROM webhook_notices WHERE account_id = $1', [accountId]);
    expect(rows).toEqual([]);
  });
});
