import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { billing, bulkOrchestrator, derivedId, identity } from '@tds/contracts';
import { createListenerContext, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createOperations } from './test-support/identity-operations.ts';
import { createKeyClient } from './test-support/keys-of-account.ts';
import { createPeople } from './test-support/people.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

const SUPPORT_EMAIL = 'help@transcripts.example';
const PUBLIC_URL = 'https://transcripts.example';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity({ environment: { SUPPORT_EMAIL, PUBLIC_URL: `${PUBLIC_URL}/` } });
});
afterAll(() => running?.stop());

const mailsTo = (to: string, subject: string) =>
  running.smtp.mails.filter((mail) => mail.to === to && mail.raw.includes(`Subject: ${subject}`));
/** The text part without the soft line breaks of quoted-printable. */
const textOf = ({ raw }: { raw: string }) => raw.replaceAll('=\n', '');
/** Waits until every due notice is mailed. */
const allMailed = () =>
  eventually(async () => {
    const query = `SELECT DISTINCT state FROM messaging.tasks WHERE name = 'send-notice'`;
    expect((await running.kit().db.query(query)).rows).toEqual([{ state: 'done' }]);
  });

let version = 0;
const tellCustomer = async (accountId: string, isDisputed: boolean, times = 1) => {
  const customer = { accountId, tier: 'free', isDisputed, version: ++version } as const;
  const delivery = createListenerContext(billing.customerChanged, customer);
  for (let time = 0; time < times; time += 1)
    await running.handlers().subscriptions.customerChanged(customer, delivery);
};
const accountOf = async (accountId: string) =>
  (await running.call(identity.getAccount, { accountId, keyId: null }, testContext())).account;

describe('who pays for an account', () => {
  it('is mailed which block was given back, by whom and by which key, and no member is', async () => {
    const people = createPeople(running);
    const owner = await people.signUp();
    const [payer, member] = [`pay-${owner.accountId}@example.com`, `work-${owner.accountId}@example.com`];
    await people.join(owner, payer, 'billing');
    await people.join(owner, member);
    const { accountId, keyId, personId } = owner;
    const event = { accountId, purchaseId: randomUUID(), block: 50, by: { keyId, personId } };
    const delivery = createListenerContext(billing.blockRefunded, event);
    for (let time = 0; time < 2; time += 1)
      await running.handlers().subscriptions.blockRefunded(event, delivery);
    await eventually(() => {
      for (const to of [owner.email, payer]) {
        const mails = mailsTo(to, '50 credits of your account were given back');
        expect(mails).toHaveLength(1);
        expect(textOf(mails[0] as { raw: string })).toMatch(/by .*with the key/s);
      }
    });
    await allMailed();
    expect(mailsTo(member, '50 credits')).toEqual([]);
  });
});

describe('the holder of a job that has ended', () => {
  const jobOf = (
    accountId: string,
    notifyEmail: boolean,
    name: string | null = '<b>Talks</b> at example.com, +1 555',
  ) => ({
    ...{ jobId: randomUUID(), accountId, monitorId: null, name, metadata: {}, notifyEmail, webhookUrl: null },
    ...{ pauseReason: null, resumesAt: null, credits: { reserved: 0, charged: 2 }, version: 1 },
    webhookKeyId: null,
    counts: { total: 4, pending: 0, processing: 0, cached: 1, fetched: 2, error: 1, cancelled: 0 },
  });

  it('is mailed once if the job asks for it, and not otherwise', async () => {
    const { accountId, email } = await running.signUp();
    const { jobCompleted } = running.handlers().subscriptions;
    const silent = { ...jobOf(accountId, false), status: 'completed' as const };
    await jobCompleted(silent, createListenerContext(bulkOrchestrator.jobCompleted, silent));
    const asked = { ...jobOf(accountId, true), status: 'completed' as const };
    const delivery = createListenerContext(bulkOrchestrator.jobCompleted, asked);
    for (let time = 0; time < 3; time += 1) await jobCompleted(asked, delivery);
    const jobMails = () =>
      running.smtp.mails.filter(({ to, raw }) => to === email && raw.includes('Open the job'));
    await eventually(() => expect(jobMails()).toHaveLength(1));
    await allMailed();
    const [mail, ...others] = jobMails().map(textOf);
    expect(others).toEqual([]);
    expect(mail).toContain('2 transcripts fetched, 1 cached, 1 failed. It cost 2 credits.');
    const page = `${PUBLIC_URL}/dashboard/jobs/${asked.jobId}?account=${accountId}`;
    expect(mail?.replaceAll('=3D', '=')).toContain(`Open the job: ${page}`);
    expect(mail?.replaceAll('=3D', '=')).toContain(`<a href="${page}">`);
    // The name is the customer's: no markup and no link.
    expect(mail).toContain('"<b>Talks</b> at example=E2=81=A0.=E2=81=A0com, +1 555"');
    expect(mail?.split('text/html')[1]).not.toContain('<b>');
  });

  it('reads that it has failed, by its id if it has no name', async () => {
    const { accountId, email } = await running.signUp();
    const failed = { ...jobOf(accountId, true, null), status: 'failed' as const };
    await running
      .handlers()
      .subscriptions.jobFailed(failed, createListenerContext(bulkOrchestrator.jobFailed, failed));
    const subject = `Your job ${failed.jobId.slice(-8)} has failed`;
    await eventually(() => expect(mailsTo(email, subject)).toHaveLength(1));
    expect(mailsTo(email, subject).map(textOf)[0]).toContain(`The job ${failed.jobId} has ended`);
    await allMailed();
  });
});

describe('the holder of an account with a new key', () => {
  it('is mailed its name, and beyond five keys a day one mail about the others, however many other mails there are', async () => {
    const { accountId, email, keyId } = await running.signUp();
    const keys = createKeyClient(running, accountId);
    const madeTo = () => mailsTo(email, 'A new API key of your account').map(textOf);
    running.clock.advance(1_000);
    const second = await keys.create({ name: 'of <owner>' });
    await eventually(() => expect(madeTo()).toHaveLength(1));
    expect(madeTo()[0]).toContain(second.prefix);
    expect(madeTo()[0]).not.toContain('<p>The key of <owner>');
    expect(madeTo()[0]).not.toContain(second.secret);
    let last = keyId;
    for (let round = 0; round < 6; round += 1) {
      await keys.revoke(last);
      ({ id: last } = await keys.create({ name: `key ${round}` }));
    }
    await eventually(async () => {
      const { rows } = await running
        .kit()
        .db.query(`SELECT hits FROM throttle_windows WHERE scope = 'key-mail' AND subject = $1`, [accountId]);
      expect(rows).toEqual([{ hits: 5 }]);
    });
    await eventually(() => expect(madeTo()).toHaveLength(5));
    const late = { where: "payload -> 'notice' ->> 'kind' = 'more_keys_made'" };
    expect(await running.rows.makeDue('messaging.tasks', late)).toBe(1);
    await eventually(() => expect(mailsTo(email, 'More new API keys of your account')).toHaveLength(1));
    await allMailed();
  });
});

describe('the holder of a frozen account', () => {
  it('is mailed the reason and whom to write to, once for each freeze and once for its end', async () => {
    const { accountId, email } = await running.signUp();
    await tellCustomer(accountId, true, 3);
    await eventually(() => expect(mailsTo(email, 'Your account is frozen')).toHaveLength(1));
    expect(await accountOf(accountId)).toMatchObject({ status: 'frozen', frozen_reason: 'payment_disputed' });
    const [frozen] = mailsTo(email, 'Your account is frozen');
    expect(textOf(frozen ?? { raw: '' })).toContain('is disputed');
    expect(textOf(frozen ?? { raw: '' })).toContain(SUPPORT_EMAIL);
    await tellCustomer(accountId, false, 3);
    await eventually(() => expect(mailsTo(email, 'Your account is active')).toHaveLength(1));
    expect(await accountOf(accountId)).toMatchObject({ status: 'active', frozen_reason: null });
    await allMailed();
    expect(mailsTo(email, 'Your account is frozen')).toHaveLength(1);
  });

  it('is mailed changes by an operator; the end of a dispute lifts no freeze by an operator', async () => {
    const { accountId, email } = await running.signUp();
    await tellCustomer(accountId, true);
    await createOperations(running).setStatus(email, 'frozen');
    await tellCustomer(accountId, false);
    expect(await accountOf(accountId)).toMatchObject({ status: 'frozen', frozen_reason: 'operator' });
    await eventually(() => expect(mailsTo(email, 'Your account is frozen')).toHaveLength(2));
    await createOperations(running).setStatus(email, 'active');
    await eventually(() => expect(mailsTo(email, 'Your account is active')).toHaveLength(1));
  });

  it('gets the same mail, by its message id, if the event arrives again after a restore', async () => {
    const { accountId, email } = await running.signUp();
    const event = { accountId, status: 'frozen', frozenReason: 'operator', version: 1 } as const;
    const delivery = createListenerContext(identity.accountStatusChanged, event);
    for (let time = 1; time <= 2; time += 1) {
      await running.handlers().subscriptions.accountStatusChanged(event, delivery);
      await eventually(() => expect(mailsTo(email, 'Your account is frozen')).toHaveLength(time));
      await running.kit().db.query('DELETE FROM messaging.inbox WHERE message_id = $1', [delivery.messageId]);
    }
    for (const mail of mailsTo(email, 'Your account is frozen'))
      expect(mail.raw).toContain(`Message-ID: <${derivedId(delivery.messageId, accountId)}@`);
  });

  it('gets no mail after a restore has lost the account', async () => {
    const event = {
      accountId: randomUUID(),
      status: 'frozen',
      frozenReason: 'operator',
      version: 1,
    } as const;
    await running
      .handlers()
      .subscriptions.accountStatusChanged(event, createListenerContext(identity.accountStatusChanged, event));
    await allMailed();
  });

  it('gets no mail after the account is closed', async () => {
    const { accountId, email } = await running.signUp();
    await createOperations(running).setStatus(email, 'closed');
    await tellCustomer(accountId, true);
    await allMailed();
    expect(mailsTo(email, 'Your account is frozen')).toEqual([]);
    expect(await accountOf(accountId)).toMatchObject({ status: 'closed', frozen_reason: null });
  });
});
