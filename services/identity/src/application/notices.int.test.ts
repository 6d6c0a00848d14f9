import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { createListenerContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

const newJob = (accountId: string) => ({
  ...{ jobId: randomUUID(), accountId, monitorId: null, name: null, metadata: {}, notifyEmail: true },
  ...{
    ...{ webhookUrl: null, webhookKeyId: null },
    pauseReason: null,
    resumesAt: null,
    credits: { reserved: 0, charged: 1 },
    version: 1,
  },
  ...{ status: 'completed' as const },
  counts: { total: 1, pending: 0, processing: 0, cached: 0, fetched: 1, error: 0, cancelled: 0 },
});
const mailsTo = (to: string, subject: string) =>
  running.smtp.mails.filter((mail) => mail.to === to && mail.raw.includes(`Subject: ${subject}`));

describe('the holder of jobs that have ended', () => {
  it('is mailed twenty ends a day, and then one mail about all others', async () => {
    const { accountId, email } = await running.signUp();
    for (let round = 0; round < 24; round += 1) {
      const ended = newJob(accountId);
      await running
        .handlers()
        .subscriptions.jobCompleted(ended, createListenerContext(bulkOrchestrator.jobCompleted, ended));
    }
    const { rows } = await running.kit().db.query(
      `SELECT payload -> 'notice' ->> 'kind' AS kind, count(*)::int AS mails FROM messaging.tasks
       WHERE payload ->> 'accountId' = $1 GROUP BY 1 ORDER BY 1`,
      [accountId],
    );
    expect(rows).toEqual([
      { kind: 'job_ended', mails: 20 },
      { kind: 'more_jobs_ended', mails: 1 },
    ]);
    await eventually(() => expect(mailsTo(email, 'Your job is complete')).toHaveLength(20));
    await running
      .kit()
      .db.query(`DELETE FROM messaging.tasks WHERE payload -> 'notice' ->> 'kind' = 'more_jobs_ended'`);
  });
});
