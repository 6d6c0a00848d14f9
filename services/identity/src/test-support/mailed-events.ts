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

type Match = PayloadOf<typeof transcriptFetcher.wordsFound>;

export const newMatch = (accountId: string, mail: MailChoice, fields: Partial<Match> = {}): Match => ({
  ...{ accountId, monitorId: 'a'.repeat(32), channel: `UC${'x'.repeat(22)}`, playlist: null },
  ...{ title: 'Harbour TV', webhookUrl: null, webhookKeyId: null, mail },
  match: {
    ...{ id: newId(), query: '"night shift"', language: 'en', translated: false },
    found_at: '2026-11-28T06:00:00.000Z',
    video: { video_id: 'abcdefghijk', title: 'Talk of the day', published_at: '2026-11-28' },
    passages: [{ start: 83.4, text: 'He took the night shift.', url: 'https://youtu.be/abcdefghijk?t=83' }],
  },
  ...fields,
});

/** Events of monitors and jobs as identity receives them, and the mails that they cause. */
export const createMailedEvents = (running: TestIdentity) => {
  const query = async (text: string, values: unknown[] = []) =>
    (await running.kit().db.query(text, values)).rows;
  const mailsTo = (to: string, subject = '') =>
    running.smtp.mails
      .filter((mail) => mail.to === to && mail.raw.includes(`Subject: ${subject}`))
      .map(({ raw }) => raw.replaceAll('=\n', '').replaceAll('=3D', '='));
  return {
    query,
    mailsTo,
    endJob: (event: JobEvent, context = createListenerContext(bulkOrchestrator.jobCompleted, event)) =>
      running.handlers().subscriptions.jobCompleted(event, context),
    findWords: (event: Match, context = createListenerContext(transcriptFetcher.wordsFound, event)) =>
      running.handlers().subscriptions.wordsFound(event, context),
    /** The clock of the database reaches the hour of the daily mail. */
    reachHour: (accountId: string) =>
      query(
        `UPDATE messaging.tasks SET due_at = clock_timestamp()
         WHERE name = 'send-daily-mail' AND state <> 'done' AND payload ->> 'accountId' = $1`,
        [accountId],
      ),
    countWaiting: async (accountId: string): Promise<number> =>
      (await query('SELECT id FROM digest_items WHERE account_id = $1 AND mailed_at IS NULL', [accountId]))
        .length,
    digestsOf: (email: string) => mailsTo(email, 'Your daily mail'),
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
