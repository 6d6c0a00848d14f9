import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

describe('a cancelled job', () => {
  let jobs: TestJobs;
  beforeAll(async () => {
    jobs = await startJobs();
  });
  afterAll(() => jobs?.stop());

  it('keeps the rows that were charged before, and gives back what it held for the others', async () => {
    const ids = videoIds(5, 'late');
    for (const id of ids.slice(2)) jobs.fetcher.hold(id);
    jobs.ledger.loseAnswer('settleParts', true);
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.eventually(() => expect(jobs.ledger.charged()).toBe(2));
    expect((await jobs.cancel(job.id)).job).toMatchObject({ status: 'cancelled' });
    jobs.ledger.loseAnswer('settleParts', false);
    await jobs.eventually(async () =>
      expect(await jobs.get(job.id)).toMatchObject({
        status: 'cancelled',
        counts: { fetched: 2, cancelled: 3, processing: 0, pending: 0 },
        credits: { charged: 2, reserved: 0 },
      }),
    );
    expect(jobs.ledger.charged()).toBe(2);
    expect(jobs.ledger.held()).toBe(0);
  });
});
