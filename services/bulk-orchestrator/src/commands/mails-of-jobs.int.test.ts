import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 300 });
});
afterAll(() => jobs?.stop());

describe('a job', () => {
  it.each([
    [{ dailyMail: true }, 'daily', false],
    [{ notifyEmail: true }, 'now', true],
    [{}, 'none', false],
  ])('says when its holder is mailed: %j is %s', async (wish, mail, isNow) => {
    const { job } = await jobs.create({ source: { videoIds: videoIds(1, mail) }, ...wish });
    expect(job).toMatchObject({ mail, notify_email: isNow });
    expect(await jobs.get(job.id)).toMatchObject({ mail, notify_email: isNow });
  });

  it('with an Idempotency-Key is another one with another wish for mails', async () => {
    const request = { source: { videoIds: videoIds(1, 'wish') }, idempotencyKey: 'wish' };
    const { job } = await jobs.create({ ...request, dailyMail: true });
    expect(await jobs.create({ ...request, dailyMail: true })).toEqual({ job, isReplayed: true });
    for (const fields of [{ notifyEmail: true }, {}])
      await expect(jobs.create({ ...request, ...fields })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
  });
});
