import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator, identity, type MailChoices, monitorScheduler } from '@tds/contracts';
import { createListenerContext, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { lockForDigest, type Period } from './mails/store/digests.ts';
import { createDatabase, type Database } from './store/database.ts';
import { createOperations } from './test-support/identity-operations.ts';
import { createMailedEvents, newJobEvent, newMatch } from './test-support/mailed-events.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

const PUBLIC_URL = 'https://transcripts.example';

let running: TestIdentity;
let mails: ReturnType<typeof createMailedEvents>;
beforeAll(async () => {
  running = await startIdentity({ environment: { PUBLIC_URL } });
  mails = createMailedEvents(running);
  db = createDatabase(running.kit().db);
});
afterEach(() => {
  running.smtp.recipientAnswer = '250 fine';
});
afterAll(() => running?.stop());

const change = (accountId: string, choices: Partial<MailChoices>) =>
  running.call(identity.changeMailChoices, { accountId, choices }, testContext());
let db: Database;
const findDelay = (accountId: string, after: Date, period: Period = 'daily') =>
  db.$transaction((tx) => lockForDigest(tx, accountId, period, after));

describe('the daily mail', () => {
  it('has new videos, matches with quotes and ended jobs in one mail, which is readable as text', async () => {
    const { accountId, email } = await running.signUp();
    await mails.endJob(newJobEvent(accountId, { dailyMail: true, name: 'Lectures' }));
    await mails.findWords(newMatch(accountId, 'daily'));
    const found = {
      ...{ accountId, monitorId: 'b'.repeat(32), channel: null, playlist: 'PLabc', title: 'Evening' },
      ...{ webhookUrl: null, webhookKeyId: null, isExpected: false, newVideosId: randomUUID(), after: 0 },
      ...{ mail: 'daily' as const, videos: [{ video_id: 'abcdefghijk', title: 'First', published_at: null }] },
    };
    const delivery = createListenerContext(monitorScheduler.newVideosFound, found);
    for (let time = 0; time < 2; time += 1)
      await running.handlers().subscriptions.newVideosFound(found, delivery);
    expect(mails.digestsOf(email)).toEqual([]);
    const [mail = '', ...others] = await mails.receiveDaily(accountId, email);
    expect(others).toEqual([]);
    expect(mail).toMatch(
      /Subject: "night shift" in Talk of the day \(Harbour TV\) and 2 more: your\s+daily mail of \d+ \w+/,
    );
    expect(mail).toContain('In "Harbour TV":\n\nTalk of the day\nRead it: ');
    expect(mail).toContain(
      `Read it at 1:23: ${PUBLIC_URL}/dashboard/read?video=abcdefghijk&language=en&at=83&words=He+took+the+night+shift.`,
    );
    expect(mail).toContain(
      '1 new video in "Evening":\n\nFirst\nWatch it: https://www.youtube.com/watch?v=abcdefghijk',
    );
    expect(mail).toContain('The job "Lectures" has ended: 1 transcript fetched');
  });

  it('is one after a mail server that was away, and the next one has what came meanwhile', async () => {
    const { accountId, email } = await running.signUp();
    running.smtp.recipientAnswer = '451 later';
    await mails.endJob(newJobEvent(accountId, { dailyMail: true, name: 'first' }));
    for (const tries of [1, 2, 3]) {
      await mails.reachHour(accountId);
      await eventually(async () => {
        const [task] = await mails.query(
          `SELECT attempts FROM messaging.tasks WHERE name = 'send-daily-mail' AND payload ->> 'accountId' = $1`,
          [accountId],
        );
        expect(Number(task.attempts)).toBeGreaterThanOrEqual(tries);
      });
    }
    await mails.endJob(newJobEvent(accountId, { dailyMail: true, name: 'second' }));
    running.smtp.recipientAnswer = '250 fine';
    await mails.reachHour(accountId);
    await eventually(() => expect(mails.digestsOf(email)).toHaveLength(1));
    await eventually(async () => expect(await mails.countWaiting(accountId)).toBe(1));
    const [first, second] = await mails.receiveDaily(accountId, email);
    expect([first?.includes('"first"'), first?.includes('"second"')]).toEqual([true, false]);
    expect([second?.includes('"first"'), second?.includes('"second"')]).toEqual([false, true]);
  });

  it('ends if the address bounces, and the next one is tried again', async () => {
    const { accountId, email } = await running.signUp();
    running.smtp.recipientAnswer = '550 no such user';
    await mails.endJob(newJobEvent(accountId, { dailyMail: true }));
    expect(await mails.receiveDaily(accountId, email)).toEqual([]);
    running.smtp.recipientAnswer = '250 fine';
    await mails.endJob(newJobEvent(accountId, { dailyMail: true }));
    expect(await mails.receiveDaily(accountId, email)).toHaveLength(1);
  });

  it('does not come after the account is closed', async () => {
    const { accountId, email } = await running.signUp();
    await mails.endJob(newJobEvent(accountId, { dailyMail: true }));
    await createOperations(running).setStatus(email, 'closed');
    expect(await mails.receiveDaily(accountId, email)).toEqual([]);
  });

  it('has an event once that comes again, also after the mail, as a restored service emits it', async () => {
    const { accountId, email } = await running.signUp();
    const event = newJobEvent(accountId, { dailyMail: true, name: 'once' });
    const delivery = createListenerContext(bulkOrchestrator.jobCompleted, event);
    await Promise.all([mails.endJob(event, delivery), mails.endJob(event, delivery)]);
    const match = newMatch(accountId, 'daily');
    await mails.findWords(match);
    await mails.findWords(match);
    expect(await mails.countWaiting(accountId)).toBe(2);
    await mails.receiveDaily(accountId, email);
    await mails.findWords(match);
    expect(await mails.countWaiting(accountId)).toBe(0);
    expect(mails.digestsOf(email)).toHaveLength(1);
  });

  it('says how many events there were beside those that it has room for, and has some of each kind', async () => {
    const { accountId, email } = await running.signUp();
    const event = (name: string) => newJobEvent(accountId, { dailyMail: true, name });
    for (let job = 0; job < 33; job += 1) await mails.endJob(event(`job ${job}`));
    const match = newMatch(accountId, 'daily');
    await mails.findWords(match);
    await mails.findWords(match);
    expect(await mails.countWaiting(accountId)).toBe(31);
    const [mail] = await mails.receiveDaily(accountId, email);
    expect(mail).toContain('And 3 more events, for which this mail has no room.');
    expect(mail).toContain('Talk of the day\nRead it: ');
    await mails.endJob(event('next day'));
    const [, next] = await mails.receiveDaily(accountId, email);
    expect(next).toContain('The job "next day"');
    expect(next).not.toContain('more, for which');
  });
});

describe('the hour of the daily mail', () => {
  it.each([
    // The clocks of Berlin skip 02:00 on 29 March 2026, and show it twice on 25 October.
    ['Europe/Berlin', 8, '2026-03-28T08:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['Europe/Berlin', 2, '2026-03-29T00:30:00Z', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', 2, '2026-03-29T01:00:00Z', '2026-03-30T00:00:00.000Z'],
    ['Europe/Berlin', 8, '2026-10-24T07:00:00Z', '2026-10-25T07:00:00.000Z'],
    ['Europe/Berlin', 2, '2026-10-24T23:30:00Z', '2026-10-25T01:00:00.000Z'],
    ['Asia/Kathmandu', 0, '2026-01-15T18:15:00Z', '2026-01-16T18:15:00.000Z'],
    ['Pacific/Kiritimati', 23, '2026-01-15T08:00:00Z', '2026-01-15T09:00:00.000Z'],
    ['UTC', 8, '2026-01-15T08:00:00Z', '2026-01-16T08:00:00.000Z'],
  ])('of %s, %i, after %s is %s', async (zone, hour, after, at) => {
    const { accountId } = await running.signUp();
    await change(accountId, { time_zone: zone, digest_hour: hour });
    expect(new Date(Date.parse(after) + (await findDelay(accountId, new Date(after)))).toISOString()).toBe(at);
  });

  it('is UTC, 8 and Monday at first, changes in parts, and the account shows it', async () => {
    const { accountId } = await running.signUp();
    const read = async () =>
      (await running.call(identity.getAccount, { accountId, keyId: null }, testContext())).mail;
    expect(await read()).toEqual({ time_zone: 'UTC', digest_hour: 8, digest_day: 1, event_mails: true });
    await change(accountId, { time_zone: 'Asia/Kolkata' });
    expect(await change(accountId, { digest_hour: 0 })).toEqual(await read());
    expect(await read()).toMatchObject({ time_zone: 'Asia/Kolkata', digest_hour: 0, digest_day: 1 });
  });

  it.each([
    // Sundays of the same two changes; the last one is asked for after its hour of the day.
    ['Europe/Berlin', 7, '2026-03-23T08:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['Europe/Berlin', 7, '2026-10-24T07:00:00Z', '2026-10-25T07:00:00.000Z'],
    ['UTC', 4, '2026-01-15T08:00:00Z', '2026-01-22T08:00:00.000Z'],
  ])('is also that of the weekly mail: of %s, day %i, after %s it is %s', async (zone, day, after, at) => {
    const { accountId } = await running.signUp();
    await change(accountId, { time_zone: zone, digest_day: day });
    const delay = await findDelay(accountId, new Date(after), 'weekly');
    expect(new Date(Date.parse(after) + delay).toISOString()).toBe(at);
  });

  it.each([
    ['Europe/Berlin', '2026-03-23T08:00:00Z', ['2026-03-29T01:00:00.000Z', '2026-04-05T00:00:00.000Z']],
    ['Europe/Berlin', '2026-10-19T08:00:00Z', ['2026-10-25T01:00:00.000Z', '2026-11-01T01:00:00.000Z']],
    // By half an hour: 02:00 of the island is 02:30 in October, and comes twice, in part, in April.
    ['Australia/Lord_Howe', '2026-09-28T08:00:00Z', ['2026-10-03T15:30:00.000Z', '2026-10-10T15:00:00.000Z']],
    ['Australia/Lord_Howe', '2026-03-30T08:00:00Z', ['2026-04-04T15:30:00.000Z', '2026-04-11T15:30:00.000Z']],
  ])(
    'of a week is once, if it is 2 on the Sunday of a change in %s after %s: %j',
    async (zone, after, times) => {
      const { accountId } = await running.signUp();
      await change(accountId, { time_zone: zone, digest_day: 7, digest_hour: 2 });
      let now = Date.parse(after);
      for (const at of times) {
        now += await findDelay(accountId, new Date(now), 'weekly');
        expect(new Date(now).toISOString()).toBe(at);
      }
    },
  );

  it('moves a mail that waits, and no other one', async () => {
    const { accountId, email } = await running.signUp();
    // Half an hour later, because the clocks of the service and the database differ.
    const due = `SELECT extract(hour FROM due_at AT TIME ZONE 'UTC' + interval '30 minutes')::int AS hour FROM messaging.tasks
      WHERE name = 'send-daily-mail' AND state <> 'done' AND payload ->> 'accountId' = $1`;
    await change(accountId, { digest_hour: 7 });
    expect(await mails.query(due, [accountId])).toEqual([]);
    await mails.endJob(newJobEvent(accountId, { dailyMail: true }));
    for (const hour of [22, 3]) {
      await change(accountId, { digest_hour: hour });
      expect(await mails.query(due, [accountId])).toEqual([{ hour }]);
    }
    await mails.reachHour(accountId);
    await change(accountId, { digest_hour: 3, event_mails: true });
    await eventually(() => expect(mails.digestsOf(email)).toHaveLength(1));
  });

  it.each(['Europe/Atlantis', 'UTC+3', 'FOO3'])('of no IANA zone, as %j, is refused', async (zone) => {
    const { accountId } = await running.signUp();
    const changing = change(accountId, { time_zone: zone, digest_hour: 3 });
    await expect(changing).rejects.toMatchObject({ code: 'invalid_time_zone' });
    expect(await change(accountId, {})).toMatchObject({ digest_hour: 8 });
  });
});
