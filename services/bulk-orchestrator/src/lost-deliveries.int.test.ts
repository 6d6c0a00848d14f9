import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { failedWith, type SubmitBatchRequest } from './test-support/changes.ts';
import { startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs?.stop());

/** A job whose first video is delivered; the turn of the others does not come. */
const begun = async (name: string, count = 6) => {
  const ids = videoIds(count, name);
  for (const id of ids.slice(1)) jobs.fetcher.queue(id);
  const { job } = await jobs.create({ source: { videoIds: ids } });
  await jobs.eventually(async () => expect((await jobs.get(job.id)).counts.fetched).toBe(1));
  return { id: job.id, ids };
};
const listOpenings = (id: string): SubmitBatchRequest[] =>
  jobs.fetcher.opened.filter(({ batchId, isAccepted }) => batchId === id && isAccepted);

describe('after a restore of the fetcher alone', () => {
  const reportLoss = (batchId: string) =>
    jobs.handlers().subscriptions.deliveriesLost({ batchId }, jobs.context() as never);

  it('what an ended job has delivered is opened again as paid, and the job stays as it is', async () => {
    const { id, ids } = await begun('ended', 3);
    jobs.fetcher.end(ids[2]!, failedWith('no_captions'));
    jobs.fetcher.deliver(ids[1]!);
    const before = await jobs.reach(id, 'completed');
    jobs.fetcher.batches.delete(id);
    await reportLoss(id);
    const { isDelivered, keyId, rows } = listOpenings(id).at(-1) as SubmitBatchRequest;
    expect({ isDelivered, keyId, videos: rows.map(({ videoId }) => videoId) }).toEqual({
      isDelivered: true,
      keyId: null,
      videos: ids.slice(0, 2),
    });
    await jobs.run('compareBatches');
    expect(await jobs.get(id)).toEqual(before);
  });

  it('nothing of an erased job is', async () => {
    const { id, ids } = await begun('erased', 2);
    jobs.fetcher.deliver(ids[1]!);
    await jobs.reach(id, 'completed');
    await jobs.erase(id);
    const before = listOpenings(id).length;
    await reportLoss(id);
    expect(listOpenings(id)).toHaveLength(before);
  });

  it('the last event of a cancelled job says what it had delivered', async () => {
    const { id } = await begun('paused', 2);
    await jobs.cancel(id);
    await jobs.eventually(() =>
      expect(jobs.emittedOf(bulkOrchestrator.jobCancelled, id)).toMatchObject([{ counts: { fetched: 1 } }]),
    );
  });
});
