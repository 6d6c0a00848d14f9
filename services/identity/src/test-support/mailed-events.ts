import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { bulkOrchestrator, type MailChoice, newId, type PayloadOf, transcriptFetcher } from '@tds/contracts';
import { createListenerContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import type { TestIdentity } from './start-identity.ts';

type JobEvent = PayloadOf<typeof bulkOrchestrator.jobCompleted>;

export const newJobEvent = (accountId: string, fields: Partial<JobEvent> = {}): JobEvent => ({
  ...{ jobId: randomUUID(), accountId, monitorId: null, name: null, metadata: {}, notifyEmail: false },
  ...{ pauseReason: null, resumesAt: null, credits: { reserved: 0, charged: 1 }, version: 1 },
  ...{ webhookUrl: null, webhookKeyId: null, status: 'completed' },
  counts: { total: 1, pending: 0, processing: 0, cached: 0, fetched: 1, error: 0, cancelled: 0 },
  ...fields,
});

type Match = PayloadOf<typeof transcriptFetcher.videoMatched>;

export const newMatch = (accountId: string, mail: MailChoice, fields: Partial<Match> = {}): Match => ({
  ...{ accountId, monitorId: 'a'.repeat(32), title: 'Harbour TV', mail, also: [] },
  match: {
    ...{ id: newId(), query: '"night shift"', language: 'en', translated: false },
    found_at: '2026-11-28T06:00:00.000Z',
    video: {
      video_id: 'abcdefghijk',
      title: 'Talk of the day',
      published_at: '2026-11-28',
      channel_title: null,
    },
    passages: [{ start: 83.4, text: 'He took the night shift.', url: 'https://youtu.be/abcdefghijk?t=83' }],
  },
  ...fields,
});

const readWord = (_word: string, kind: string, text: string): string =>
  kind === 'B'
    ? Buffer.from(text, 'base64').toString()
    : decodeURIComponent(text.replaceAll('_', ' ').replaceAll('%', '=25').replaceAll('=', '%'));

/** A mail whose subject is read as RFC 2047 says, and whose body has no soft line breaks. */
const readMail = (raw: string): string =>
  raw
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/g, readWord)
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=');

/** Events of monitors and jobs as identity receives them, and the mails that they cause. */
export const createMailedEvents = (running: TestIdentity) => {
  const query = async (text: string, values: unknown[] = []) =>
    (await running.kit().db.query(text, values)).rows;
  const mailsTo = (to: string, subject = '') =>
    running.smtp.mails
      .filter((mail) => mail.to === to)
      .map(({ raw }) => readMail(raw))
      .filter((mail) => mail.includes(`Subject: ${subject}`));
  const countWaiting = async (accountId: string): Promise<number> =>
    (await query('SELECT id FROM digest_items WHERE account_id = $1 AND mailed_at IS NULL', [accountId]))
      .length;
  /** The clock of the database reaches the hour of the digest. */
  const reachHour = (accountId: string) =>
    running.rows.makeDue('messaging.tasks', {
      where: "name LIKE 'send-%ly-mail' AND state <> 'done' AND payload ->> 'accountId' = $1",
      values: [accountId],
    });
  const digestsOf = (email: string, period = 'daily') => {
    const subject = new RegExp(`^Subject: .*your\\s+${period} mail of`, 'ms');
    return mailsTo(email).filter((mail) => subject.test(mail.slice(0, mail.search(/\r?\n\r?\n/))));
  };
  return {
    query,
    mailsTo,
    countWaiting,
    reachHour,
    digestsOf,
    /** The hour has come: waits until the daily mail has ended, and returns those of the address. */
    async receiveDaily(accountId: string, email: string): Promise<string[]> {
      await reachHour(accountId);
      await eventually(async () => expect(await countWaiting(accountId)).toBe(0));
      return digestsOf(email);
    },
    endJob: (event: JobEvent, context = createListenerContext(bulkOrchestrator.jobCompleted, event)) =>
      running.handlers().subscriptions.jobCompleted(event, context),
    findWords: (event: Match, context = createListenerContext(transcriptFetcher.videoMatched, event)) =>
      running.handlers().subscriptions.videoMatched(event, context),
    tokenIn: (raw = ''): string => /\/v1\/mail\/stop\?link=([\w.-]+)/.exec(raw)?.[1] ?? '',
    /** Waits until nothing waits to be mailed at once. */
    allMailed: () =>
      eventually(async () =>
        expect(
          await query(`SELECT 1 FROM messaging.tasks WHERE name = 'send-notice' AND state <> 'done'`),
        ).toEqual([]),
      ),
  };
};
