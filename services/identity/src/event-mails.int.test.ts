import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity, type MailChoices, transcriptFetcher } from '@tds/contracts';
import { createListenerContext, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createMailedEvents, newJobEvent, newMatch } from './test-support/mailed-events.ts';
import { createPeople } from './test-support/people.ts';
import { newSecrets, verifyRequest } from './test-support/sign-in-requests.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

const PUBLIC_URL = 'https://transcripts.example';

let running: TestIdentity;
let mails: ReturnType<typeof createMailedEvents>;
beforeAll(async () => {
  running = await startIdentity({ environment: { PUBLIC_URL } });
  mails = createMailedEvents(running);
});
afterAll(() => running?.stop());

const change = (accountId: string, choices: Partial<MailChoices>) =>
  running.call(identity.changeMailChoices, { accountId, choices }, testContext());
const stop = (token: string) => running.call(identity.stopEventMails, { token }, testContext());

describe('mails at once', () => {
  it('are twenty of a kind a day; the daily mail has the others', async () => {
    const { accountId, email } = await running.signUp();
    for (let job = 0; job < 22; job += 1) await mails.endJob(newJobEvent(accountId, { notifyEmail: true }));
    await mails.findWords(newMatch(accountId, 'now'));
    await eventually(() => expect(mails.mailsTo(email, 'Your job ')).toHaveLength(20));
    await eventually(() =>
      expect(mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')).toHaveLength(1),
    );
    expect(
      (await mails.receiveDaily(accountId, email))[0]?.match(/The job [^ ]+ has ended: 1 transcript fetched/g),
    ).toHaveLength(2 * 2);
  });
});

describe('the mail about the end of a job', () => {
  it.each([
    [0, 'It cost 1 credit. Its files are in the dashboard.'],
    [1, 'It cost 1 credit. 1 entry of its source could not be read: videos may be missing. Its files'],
    [2, '2 entries of its source could not be read: videos may be missing.'],
  ])(
    'says that %s entries of its source are left out, at once and in the daily mail',
    async (omitted, said) => {
      const { accountId, email } = await running.signUp();
      await mails.endJob(newJobEvent(accountId, { omitted, notifyEmail: true }));
      await mails.endJob(newJobEvent(accountId, { omitted, dailyMail: true }));
      await eventually(() => expect(mails.mailsTo(email, 'Your job ')).toHaveLength(1));
      for (const mail of [mails.mailsTo(email, 'Your job')[0], ...(await mails.receiveDaily(accountId, email))])
        expect(mail?.replaceAll(/=?\r?\n/g, '')).toContain(said);
    },
  );
});

describe('the mail about a video', () => {
  it('comes once with all queries, also if its event and that of a release before come again', async () => {
    const { accountId, email } = await running.signUp();
    const found = newMatch(accountId, 'now');
    const { passages } = found.match;
    const event = { ...found, also: [{ query: 'crane', passages }] };
    for (let time = 0; time < 2; time += 1) await mails.findWords(event);
    const watcher = { channel: null, playlist: 'PL1', webhookUrl: null, webhookKeyId: null };
    for (const mail of ['now', 'none'] as const) {
      const single = { ...watcher, ...event, mail };
      const delivery = createListenerContext(transcriptFetcher.wordsFound, single);
      await running.handlers().subscriptions.wordsFound(single, delivery);
    }
    await eventually(() =>
      expect(mails.mailsTo(email, '"night shift" and 1 more in Talk of the day (Harbour TV)')).toHaveLength(1),
    );
    await mails.allMailed();
    expect(mails.mailsTo(email, '"')).toHaveLength(1);
    expect(mails.mailsTo(email, '"')[0]).toContain('"crane":\n\n"He took the night shift."');
  });
});

describe('the link that ends mails', () => {
  it('stands in the head of mails of monitors, jobs and days as RFC 8058 wants it, and in no mail of the account', async () => {
    const { accountId, email } = await running.signUp();
    await mails.findWords(newMatch(accountId, 'now'));
    await mails.findWords(newMatch(accountId, 'daily'));
    await mails.allMailed();
    for (const mail of [
      mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')[0],
      (await mails.receiveDaily(accountId, email))[0],
    ]) {
      const [head = ''] = (mail ?? '').split('\n\n');
      expect(head).toContain(`List-Unsubscribe: <${PUBLIC_URL}/v1/mail/stop?link=${mails.tokenIn(mail)}>`);
      expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    }
    expect(mails.mailsTo(email, 'Your sign-in code')[0]).not.toContain('List-Unsubscribe');
  });

  it('ends them all, also those on their way, until the holder turns them on again', async () => {
    const { accountId, email } = await running.signUp();
    await mails.findWords(newMatch(accountId, 'now'));
    await eventually(() =>
      expect(mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')).toHaveLength(1),
    );
    await mails.findWords(newMatch(accountId, 'daily'));
    const token = mails.tokenIn(mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')[0]);
    for (let time = 0; time < 2; time += 1) expect(await stop(token)).toEqual({});
    await mails.findWords(newMatch(accountId, 'now'));
    await mails.allMailed();
    expect(await mails.receiveDaily(accountId, email)).toEqual([]);
    expect(mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')).toHaveLength(1);
    running.clock.advance(1);
    expect(await change(accountId, { event_mails: true })).toMatchObject({ event_mails: true });
    await mails.findWords(newMatch(accountId, 'now'));
    await eventually(() =>
      expect(mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')).toHaveLength(2),
    );
    // The link is used up: only one of a mail that came since ends them again.
    await expect(stop(token)).rejects.toMatchObject({ code: 'invalid_mail_token' });
    expect(await change(accountId, {})).toMatchObject({ event_mails: true });
    expect(
      await stop(mails.tokenIn(mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')[1])),
    ).toEqual({});
    expect(await change(accountId, {})).toMatchObject({ event_mails: false });
    const audited = await mails.query(
      `SELECT person_id FROM audit_entries WHERE account_id = $1 AND action = 'mails-stopped'`,
      [accountId],
    );
    expect(audited).toEqual([{ person_id: accountId }, { person_id: accountId }]);
  });

  it('is of its reader, and ends with them', async () => {
    const people = createPeople(running);
    const owner = await people.signUp();
    const other = await people.join(owner, `${randomUUID()}@example.com`, 'owner');
    await mails.findWords(newMatch(owner.accountId, 'now'));
    const received = await eventually(() => {
      const [mail] = mails.mailsTo(owner.email, '"night shift" in Talk of the day (Harbour TV)');
      if (!mail) throw new Error('no mail');
      return mail;
    });
    expect(received).toContain(`account=${owner.accountId}`);
    await people.remove(other, owner.personId, 'pass_on');
    await expect(stop(mails.tokenIn(received))).rejects.toMatchObject({ code: 'invalid_mail_token' });
    expect(await change(owner.accountId, {})).toMatchObject({ event_mails: true });
  });

  it('is of one account: no other token ends anything', async () => {
    const { accountId, email } = await running.signUp();
    await mails.findWords(newMatch(accountId, 'now'));
    await eventually(() =>
      expect(mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')).toHaveLength(1),
    );
    const [kind = '', person = '', at = '', mac = ''] = mails
      .tokenIn(mails.mailsTo(email, '"night shift" in Talk of the day (Harbour TV)')[0])
      .split('.');
    for (const token of [
      `${kind}.${randomUUID()}.${at}.${mac}`,
      `${kind}.${person}.${at}0.${mac}`,
      `i.${person}.${mac}`,
      `${kind}.${person}.${at}.${mac.slice(0, -2)}AA`,
      `${person}.${mac}`,
      person,
      `${person}.`,
      'x',
    ])
      await expect(stop(token)).rejects.toMatchObject({ code: 'invalid_mail_token' });
    expect(await change(accountId, {})).toMatchObject({ event_mails: true });
  });
});

describe('the zone of the daily mail', () => {
  it('is that of the browser at the first sign-in, if the database knows it, and no later one', async () => {
    const zones = [];
    for (const timeZone of ['Asia/Kolkata', 'Europe/Atlantis']) {
      const email = `${randomUUID()}@example.com`;
      for (const sent of [timeZone, 'Europe/Berlin']) {
        const request = verifyRequest(email, await running.askForCode(email), newSecrets(), { timeZone: sent });
        const { accountId } = await running.call(identity.verifyCode, request, testContext());
        zones.push((await change(accountId, {})).time_zone);
      }
    }
    expect(zones).toEqual(['Asia/Kolkata', 'Asia/Kolkata', 'UTC', 'UTC']);
  });
});

describe('the weekly mail', () => {
  const weekly = { ...newMatch(randomUUID(), 'daily'), weekly: true };
  const dueDays = (accountId: string) =>
    mails.query(
      `SELECT extract(isodow FROM due_at AT TIME ZONE 'UTC')::int AS day FROM messaging.tasks
       WHERE name = 'send-weekly-mail' AND state <> 'done' AND payload ->> 'accountId' = $1`,
      [accountId],
    );

  it('has the events that wish it, beside a daily one, and moves to another day', async () => {
    const { accountId, email } = await running.signUp();
    const { match } = newMatch(accountId, 'daily');
    for (let time = 0; time < 2; time += 1) await mails.findWords({ ...weekly, accountId, match });
    await mails.endJob(newJobEvent(accountId, { dailyMail: true, name: 'Lectures' }));
    for (const day of [3, 6]) {
      await change(accountId, { digest_day: day, digest_hour: 12 });
      expect(await dueDays(accountId)).toEqual([{ day }]);
    }
    await mails.receiveDaily(accountId, email);
    const [mail = '', ...others] = mails.digestsOf(email, 'weekly');
    expect(others).toEqual([]);
    expect(mail).toMatch(
      /Subject: "night shift" in Talk of the day \(Harbour TV\):\s+your\s+weekly mail of \d+ \w+/,
    );
    expect(mail).not.toContain('Lectures');
    expect(mails.digestsOf(email)[0]).not.toContain('night shift');
    expect(mail).toContain(`/v1/mail/stop?link=${mails.tokenIn(mail)}`);
  });

  it('counts what it has no room for apart from the daily one, and does not come after the mails were ended', async () => {
    const { accountId, email } = await running.signUp();
    for (let nth = 0; nth < 32; nth += 1)
      await mails.findWords({ ...newMatch(accountId, 'daily'), weekly: true });
    await mails.findWords(newMatch(accountId, 'daily'));
    await mails.receiveDaily(accountId, email);
    expect(mails.digestsOf(email, 'weekly')[0]).toContain(
      'And 2 more events, for which this mail has no room.',
    );
    expect(mails.digestsOf(email)[0]).not.toContain('no room');
    await mails.findWords({ ...newMatch(accountId, 'daily'), weekly: true });
    await change(accountId, { event_mails: false });
    await mails.receiveDaily(accountId, email);
    expect(mails.digestsOf(email, 'weekly')).toHaveLength(1);
  });
});
