import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator, creditsLedger, identity, monitorScheduler, type PayloadOf } from '@tds/contracts';
import { createListenerContext, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createAppClient } from './test-support/connected-apps.ts';
import { createPeople } from './test-support/people.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
type JobEvent = PayloadOf<typeof bulkOrchestrator.jobPaused>;

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const mailsTo = (to: string, subject: string): string[] =>
  running.smtp.mails
    .filter((mail) => mail.to === to && mail.raw.includes(`Subject: ${subject}`))
    .map(({ raw }) => raw.replaceAll('=\n', '').replaceAll('=3D', '='));
const pausesTo = (email: string) =>
  mailsTo(email, 'Your job is paused').length + mailsTo(email, 'Your monitor is paused').length;
/** Waits until no notice waits to be mailed. */
const allMailed = () =>
  eventually(async () => {
    const { rows } = await running
      .kit()
      .db.query(`SELECT 1 FROM messaging.tasks WHERE name = 'send-notice' AND state <> 'done'`);
    expect(rows).toEqual([]);
  });

const pauseJob = async (accountId: string, fields: Pick<JobEvent, 'pauseReason'> & Partial<JobEvent>) => {
  const job: JobEvent = {
    ...{ jobId: randomUUID(), accountId, monitorId: null, name: null, metadata: {}, notifyEmail: false },
    ...{ resumesAt: null, credits: { reserved: 0, charged: 1 }, version: 1, status: 'paused' },
    ...{ webhookUrl: null, webhookKeyId: null },
    counts: { total: 1, pending: 1, processing: 0, cached: 0, fetched: 0, error: 0, cancelled: 0 },
    ...fields,
  };
  await running.handlers().subscriptions.jobPaused(job, createListenerContext(bulkOrchestrator.jobPaused, job));
};
type MonitorEvent = PayloadOf<typeof monitorScheduler.monitorPaused>;
const pauseMonitor = async (
  accountId: string,
  pauseReason: MonitorEvent['pauseReason'],
  personId: string | null = null,
) => {
  const event = {
    personId,
    accountId,
    monitorId: 'a'.repeat(32),
    title: 'News of example.com',
    pauseReason,
    version: 1,
  };
  const delivery = createListenerContext(monitorScheduler.monitorPaused, event);
  await running.handlers().subscriptions.monitorPaused(event, delivery);
};

describe('mails of what has stopped', () => {
  it('are one a day for a cause, whatever it stops, and another one for another cause and day', async () => {
    const { accountId, email } = await running.signUp();
    await pauseJob(accountId, { pauseReason: 'insufficient_credits' });
    await pauseJob(accountId, { pauseReason: 'insufficient_credits' });
    await pauseMonitor(accountId, 'insufficient_credits');
    await pauseJob(accountId, { pauseReason: 'key_revoked' });
    await pauseMonitor(accountId, 'feed_unavailable');
    await allMailed();
    expect(pausesTo(email)).toBe(3);
    expect(mailsTo(email, 'Your job is paused')[0]).toContain('Open billing: ');
    expect(mailsTo(email, 'Your monitor is paused')[0]).toContain(
      'The monitor "News of example=E2=81=A0.=E2=81=A0com" is paused.',
    );
    running.clock.advance(DAY_MS + MINUTE_MS);
    await pauseMonitor(accountId, 'insufficient_credits');
    await allMailed();
    expect(pausesTo(email)).toBe(4);
  });

  it('say who made a monitor, if that person was removed', async () => {
    const people = createPeople(running);
    const owner = await people.signUp();
    const member = await people.join(owner, `${randomUUID()}@example.com`);
    await people.remove(owner, member.personId, 'end');
    await pauseMonitor(owner.accountId, 'key_revoked', member.personId);
    await allMailed();
    const [mail = ''] = mailsTo(owner.email, 'Your monitor is paused');
    expect(mail.replaceAll('=E2=81=A0', '')).toContain(`It was made by "${member.email}", who was removed.`);
    expect(mail).toContain(`account=${owner.accountId}`);
  });

  it('come for a daily limit only if it holds for more than a day, and not for what ends by itself', async () => {
    const { accountId, email } = await running.signUp();
    const at = (ms: number) => new Date(running.clock.now().getTime() + ms).toISOString();
    await pauseJob(accountId, { pauseReason: 'daily_limit', resumesAt: at(DAY_MS - MINUTE_MS) });
    await pauseJob(accountId, { pauseReason: 'daily_limit' });
    await pauseJob(accountId, { pauseReason: 'platform_unavailable', resumesAt: at(2 * DAY_MS) });
    await allMailed();
    expect(pausesTo(email)).toBe(0);
    await pauseJob(accountId, { pauseReason: 'daily_limit', resumesAt: at(DAY_MS + MINUTE_MS) });
    await allMailed();
    expect(pausesTo(email)).toBe(1);
  });

  it('name a job as its customer did, and its name is no link', async () => {
    const { accountId, email } = await running.signUp();
    await pauseJob(accountId, { pauseReason: 'key_revoked', name: '<a href="//example.com/x">here' });
    await allMailed();
    const [raw = ''] = mailsTo(email, 'Your job is paused');
    expect(raw).toContain('The job "<a href="//example=E2=81=A0.=E2=81=A0com/x">here" is paused');
    expect(raw).not.toContain('//example.com');
  });

  it('say how many credits are left, once for an event that comes twice', async () => {
    const { accountId, email } = await running.signUp();
    const event = { accountId, available: 1, threshold: 20 };
    const delivery = createListenerContext(creditsLedger.balanceRanLowForMail, event);
    for (let time = 0; time < 2; time += 1)
      await running.handlers().subscriptions.balanceRanLowForMail(event, delivery);
    await allMailed();
    const lowTo = mailsTo(email, 'Your credits are running low');
    expect(lowTo).toHaveLength(1);
    expect(lowTo[0]).toContain('has 1 credit left; you asked for a mail below 20.');
  });

  it('say that a connection has ended, and who ended it, once a day', async () => {
    const holder = await running.signUp();
    const apps = createAppClient(running);
    const app = { name: 'example.com', host: 'example.com' };
    const [one, other] = [await apps.connect(holder, { app }), await apps.connect(holder)];
    await running.call(identity.endGrant, { grantId: one.grantId }, testContext());
    await running.call(identity.endGrant, { grantId: one.grantId }, testContext());
    await apps.end(holder, other.id);
    const endsTo = () => mailsTo(holder.email, 'An app was disconnected from your account');
    await allMailed();
    expect(endsTo()).toHaveLength(1);
    expect(endsTo()[0]).toContain('"example=E2=81=A0.=E2=81=A0com" at example[.]com has ended its connection');
    running.clock.advance(DAY_MS + MINUTE_MS);
    await apps.end(holder, (await apps.connect(await running.signUp(holder.email))).id);
    await allMailed();
    expect(endsTo()[1]).toContain('was disconnected in your account');
  });
});
