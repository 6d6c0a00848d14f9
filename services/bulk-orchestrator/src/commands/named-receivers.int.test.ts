import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { RECEIVER, startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 300 });
});
afterAll(() => jobs?.stop());

it('a job that names receivers says so in its answers and events', async () => {
  const { job } = await jobs.create({ source: { videoIds: videoIds(1, 'named') }, receiverIds: [RECEIVER] });
  expect(job).toMatchObject({ receivers: [RECEIVER] });
  await eventually(() =>
    expect(jobs.emittedOf(bulkOrchestrator.jobCompleted, job.id)).toMatchObject([{ receiverIds: [RECEIVER] }]),
  );
  const other = await jobs.create({ source: { videoIds: videoIds(1, 'unnamed') } });
  expect(other.job).toMatchObject({ receivers: [] });
});

it('a job that names one which the account has not is none, and costs nothing', async () => {
  const before = await jobs.count();
  const receiverIds = [RECEIVER, randomUUID()];
  const source = { videoIds: videoIds(1, 'unknown') };
  await expect(jobs.create({ source, receiverIds })).rejects.toMatchObject({ code: 'receiver_not_found' });
  expect(await jobs.count()).toBe(before);
});

it('an Idempotency-Key with other receivers is another request', async () => {
  const request = { source: { videoIds: videoIds(1, 'again') }, idempotencyKey: 'again' };
  const { job } = await jobs.create({ ...request, receiverIds: [RECEIVER] });
  expect(await jobs.create({ ...request, receiverIds: [RECEIVER] })).toEqual({ job, isReplayed: true });
  await expect(jobs.create(request)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});
