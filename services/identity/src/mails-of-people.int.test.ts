import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator, creditsLedger, identity, type MonitorMail, monitorScheduler } from '@tds/contracts';
import { createListenerContext, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import * as recovery from './recovery.ts';
import { createTestDeps } from './test-support/identity-operations.ts';
import { createMailedEvents, newJobEvent, newMatch } from './test-support/mailed-events.ts';
import { createPeople, type SignedIn } from './test-support/people.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

let running: TestIdentity;
let mails: ReturnType<typeof createMailedEvents>;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  running = await startIdentity({ environment: { PUBLIC_URL: 'https://transcripts.example' } });
  mails = createMailedEvents(running);
  people = createPeople(running);
});
afterAll(() => running?.stop());

const SUBJECT = '"night shift" in Talk of the day (Harbour TV)';
const monitorId = 'a'.repeat(32);
const newEmail = () => `${randomUUID()}@example.com`;
const choose = (
  { accountId, personId }: SignedIn,
  workId: string,
  mail: MonitorMail | null,
  { personId: madeBy }: SignedIn | { personId: null } = { personId: null },
) =>
  running.call(
    identity.chooseMailOfWork,
    { accountId, personId, workId, mail, madeBy, default: 'now' },
    testContext(),
  );
const stop = (token: string) => running.call(identity.stopEventMails, { token }, testContext());

/** An owner, who has signed up, a member and one who pays. */
const startTeam = async () => {
  const owner = await people.signUp();
  const member = await people.join(owner, newEmail());
  const payer = await people.join(owner, newEmail(), 'billing');
  const all = [owner, member, payer];
  /** How many mails each has whose subject begins so, after those that are on their way. */
  const count = async (subject: string) => {
    await mails.allMailed();
    return all.map(({ email }) => mails.mailsTo(email, subject).length);
  };
  /** A match of a monitor that the member made. */
  const match = (mail: 'now' | 'daily' | 'none' = 'now') =>
    mails.findWords(newMatch(owner.accountId, mail, { personId: member.personId }));
  return { ...{ owner, member, payer, all, count, match }, accountId: owner.accountId };
};

describe('the mails of a monitor', () => {
  it('reach who made it, and who chose them, each as they chose, and nobody else', async () => {
    const { owner, member, payer, count, match, accountId } = await startTeam();
    await match();
    expect(await count(SUBJECT)).toEqual([0, 1, 0]);
    await choose(owner, monitorId, 'daily');
    await choose(payer, monitorId, 'now');
    await match();
    expect(await count(SUBJECT)).toEqual([0, 2, 1]);
    await choose(member, monitorId, 'none');
    await match();
    expect(await count(SUBJECT)).toEqual([0, 2, 2]);
    await mails.receiveDaily(accountId, owner.email);
    await eventually(() => expect(mails.digestsOf(owner.email)).toHaveLength(1));
    expect(mails.digestsOf(member.email)).toEqual([]);
    expect(await choose(payer, monitorId, 'now', member)).toEqual({ mail: 'now', is_chosen: true });
    expect(await choose(payer, monitorId, null, member)).toEqual({ mail: 'none', is_chosen: false });
    await choose(payer, monitorId, 'now');
    // As by default again.
    expect(await choose(member, monitorId, null, member)).toEqual({ mail: 'now', is_chosen: false });
    await match();
    // Its daily mail begins with the same words.
    expect(await count(SUBJECT)).toEqual([1, 3, 3]);
  });

  it('come by the clock of each, and end by the switch of each', async () => {
    const { owner, member, accountId } = await startTeam();
    const zones = { owner: 'Asia/Tokyo', member: 'America/New_York' };
    const change = (personId: string, choices: { time_zone?: string; event_mails?: boolean }) =>
      running.call(identity.changeMailChoices, { accountId, personId, choices }, testContext());
    await change(owner.personId, { time_zone: zones.owner });
    await change(member.personId, { time_zone: zones.member, event_mails: false });
    expect((await people.account(owner)).mail).toMatchObject({ time_zone: zones.owner, event_mails: true });
    expect((await people.account(member)).mail).toMatchObject({ time_zone: zones.member, event_mails: false });
    await choose(owner, monitorId, 'daily');
    await mails.findWords(newMatch(accountId, 'daily', { personId: member.personId }));
    const waiting = await mails.query(
      `SELECT payload ->> 'personId' AS person, extract(hour FROM due_at AT TIME ZONE CASE payload ->> 'personId' WHEN $2 THEN $3 ELSE $4 END + interval '30 minutes')::int AS hour
       FROM messaging.tasks WHERE name = 'send-daily-mail' AND payload ->> 'accountId' = $1`,
      [accountId, owner.personId, zones.owner, zones.member],
    );
    expect(waiting).toHaveLength(2);
    for (const { hour } of waiting) expect(hour).toBe(8);
    await mails.receiveDaily(accountId, owner.email);
    await eventually(() => expect(mails.digestsOf(owner.email)).toHaveLength(1));
    expect(mails.digestsOf(member.email)).toEqual([]);
  });

  it('go to who has the work of one who left, and without such a one to the oldest owner', async () => {
    const { owner, member, count, match } = await startTeam();
    await people.remove(owner, member.personId, 'pass_on');
    await match();
    expect(await count(SUBJECT)).toEqual([1, 0, 0]);
    const left = await startTeam();
    await people.remove(left.owner, left.member.personId, 'end');
    await left.match();
    expect(await left.count(SUBJECT)).toEqual([1, 0, 0]);
  });

  it('of the release before, which names no person, reach the oldest owner', async () => {
    const { count, accountId } = await startTeam();
    await mails.findWords(newMatch(accountId, 'now'));
    await mails.endJob(newJobEvent(accountId, { notifyEmail: true }));
    expect(await count(SUBJECT)).toEqual([1, 0, 0]);
    expect(await count('Your job ')).toEqual([1, 0, 0]);
  });

  it('leave out new videos without a match if the monitor does', async () => {
    const { owner, member, count, accountId } = await startTeam();
    await choose(owner, 'b'.repeat(32), 'now');
    const found = {
      ...{ accountId, monitorId: 'b'.repeat(32), channel: null, playlist: 'PLabc', title: 'Evening' },
      ...{ webhookUrl: null, webhookKeyId: null, isExpected: false, after: 0, personId: member.personId },
      videos: [{ video_id: 'abcdefghijk', title: 'First', published_at: null }],
    };
    for (const wish of [{ mail: 'none', mailOnlyMatches: true } as const, { mail: 'now' } as const]) {
      const event = { ...found, ...wish, newVideosId: randomUUID() };
      const context = createListenerContext(monitorScheduler.newVideosFound, event);
      await running.handlers().subscriptions.newVideosFound(event, context);
    }
    expect(await count('New: ')).toEqual([1, 1, 0]);
  });
});

describe('the link that stops one', () => {
  it("ends its reader's mails of that monitor alone, until they choose it again", async () => {
    const { owner, member, count, match, accountId } = await startTeam();
    await choose(owner, monitorId, 'now');
    await match();
    await count(SUBJECT);
    const [mail = ''] = mails.mailsTo(member.email, SUBJECT);
    const token = /Stop this one: \S+link=([\w.-]+)/.exec(mail)?.[1] ?? '';
    for (let time = 0; time < 2; time += 1) expect(await stop(token)).toEqual({});
    await match();
    await mails.endJob(newJobEvent(accountId, { notifyEmail: true, personId: member.personId }));
    expect(await count(SUBJECT)).toEqual([2, 1, 0]);
    expect(await count('Your job ')).toEqual([0, 1, 0]);
    await choose(member, monitorId, 'now');
    await expect(stop(token)).rejects.toMatchObject({ code: 'invalid_mail_token' });
    await match();
    expect(await count(SUBJECT)).toEqual([3, 2, 0]);
    const parts = token.split('.');
    for (const forged of [
      [...parts.slice(0, 3), 'b'.repeat(32), parts[4]],
      ['e', ...parts.slice(1)],
    ])
      await expect(stop(forged.join('.'))).rejects.toMatchObject({ code: 'invalid_mail_token' });
    await people.remove(owner, member.personId, 'end');
    await expect(stop(token)).rejects.toMatchObject({ code: 'invalid_mail_token' });
  });
});

describe('what a person chose', () => {
  it('is kept by a restored database, the newest of it', async () => {
    const { owner, member, accountId, count, match } = await startTeam();
    await choose(owner, monitorId, 'now');
    await choose(owner, monitorId, 'none');
    await choose(member, monitorId, 'none');
    const { rows } = await running
      .kit()
      .db.query(
        `SELECT payload FROM messaging.outbox WHERE subject = 'evt.identity.mail-of-work-chosen.v1' AND payload ->> 'accountId' = $1 ORDER BY id`,
        [accountId],
      );
    await running.kit().db.query('DELETE FROM mails_of_work WHERE account_id = $1', [accountId]);
    const deps = createTestDeps(running);
    const events = rows.map(({ payload }) => payload);
    for (const event of [...events, ...events.toReversed()])
      await recovery.mailOfWorkChosen.run(deps, event, createListenerContext(identity.mailOfWorkChosen, event));
    await match();
    expect(await count(SUBJECT)).toEqual([0, 0, 0]);
  });

  it('is chosen by nobody who has left', async () => {
    const { owner, member } = await startTeam();
    await people.remove(owner, member.personId, 'end');
    await expect(choose(member, monitorId, 'now')).rejects.toMatchObject({ code: 'session_required' });
  });
});

describe('what has stopped', () => {
  it('is mailed to who made it and whom it mails, and if a payment ends it also to who pays, once a day each', async () => {
    const { member, count, accountId } = await startTeam();
    const pause = (pauseReason: 'key_revoked' | 'insufficient_credits', personId: string | null) => {
      const event = newJobEvent(accountId, { status: 'paused', pauseReason, personId });
      return running
        .handlers()
        .subscriptions.jobPaused(event, createListenerContext(bulkOrchestrator.jobPaused, event));
    };
    await pause('key_revoked', member.personId);
    expect(await count('Your job is paused')).toEqual([0, 1, 0]);
    // Null is the first person. That another one was mailed the reason today takes nothing from them.
    for (let time = 0; time < 2; time += 1) await pause('key_revoked', null);
    expect(await count('Your job is paused')).toEqual([1, 1, 0]);
    await pause('insufficient_credits', member.personId);
    expect(await count('Your job is paused')).toEqual([2, 2, 1]);
  });
});

describe('what concerns an account', () => {
  it('is mailed to its owners and who pays, once each, and a key also to whose it is', async () => {
    const { member, count, accountId } = await startTeam();
    const low = { accountId, available: 3, threshold: 5 };
    for (let time = 0; time < 2; time += 1)
      await running
        .handlers()
        .subscriptions.balanceRanLowForMail(
          low,
          createListenerContext(creditsLedger.balanceRanLowForMail, low),
        );
    expect(await count('Your credits are running low')).toEqual([1, 0, 1]);
    await people.createKey(member);
    await eventually(async () => expect(await count('A new API key of your account')).toEqual([1, 1, 1]));
  });
});
