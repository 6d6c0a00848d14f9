import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { failedWith } from '../test-support/changes.ts';
import { beginJob, startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000 });
});
afterAll(() => jobs?.stop());
const begun = (name: string, count?: number) => beginJob(jobs, name, count);

describe('a job without hints', () => {
  it('is compared by its version, and its changes are read', async () => {
    const { id, ids } = await begun('silent');
    jobs.fetcher.state.hints = false;
    jobs.fetcher.deliver(...ids);
    await jobs.query(`UPDATE jobs SET heard_at = heard_at - interval '5 seconds'`);
    await jobs.run('compareBatches');
    jobs.fetcher.state.hints = true;
    expect(await jobs.get(id)).toMatchObject({ status: 'completed', counts: { fetched: 6 } });
  });

  it('costs no comparison while it is paused', async () => {
    const ids = videoIds(3, 'asleep');
    for (const id of ids) jobs.fetcher.end(id, failedWith('budget_exhausted', 3_000));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reach(job.id, 'paused');
    await jobs.query(`UPDATE jobs SET heard_at = heard_at - interval '5 seconds'`);
    const before = jobs.fetcher.requests.length;
    await jobs.run('compareBatches');
    const asked = jobs.fetcher.requests
      .slice(before)
      .flatMap(({ request }) => (request as { batchIds?: string[] }).batchIds ?? []);
    expect(asked).not.toContain(job.id);
    await jobs.cancel(job.id);
  });
});

describe('two instances', () => {
  it('read the changes of a batch one at a time, whichever receives the hint', async () => {
    const other = await jobs.startAnother();
    const { id, ids } = await begun('single', 40);
    const { readChanges } = jobs.fetcher.commands;
    const readers = { now: 0, most: 0, all: 0 };
    jobs.fetcher.commands.readChanges = async (request, context) => {
      readers.now += 1;
      readers.all += 1;
      readers.most = Math.max(readers.most, readers.now);
      // Each read takes longer than the interval of hints.
      await new Promise((resolve) => setTimeout(resolve, 60));
      readers.now -= 1;
      return readChanges(request, context);
    };
    for (const videoId of ids) {
      // Comparisons read beside hints; a job that has just been heard is not compared.
      await jobs.query('UPDATE jobs SET heard_at = clock_timestamp() WHERE heard_at IS NOT NULL');
      jobs.fetcher.deliver(videoId);
      await jobs.get(id);
    }
    await jobs.reach(id, 'completed');
    jobs.fetcher.commands.readChanges = readChanges;
    expect(readers.most).toBe(1);
    expect(readers.all).toBeLessThan(ids.length);
    await other.stop();
  });

  it('that receive the same changes save them once', async () => {
    const other = await jobs.startAnother();
    const { id, ids } = await begun('twofold', 60);
    jobs.fetcher.end(ids[1]!, failedWith('upstream_error'));
    jobs.fetcher.deliver(...ids.slice(2));
    await jobs.eventually(async () => expect((await jobs.get(id)).counts).toMatchObject({ fetched: 59 }));
    expect((await jobs.get(id)).videos[1]).toMatchObject({ attempts: 1, waiting_for: 'retry' });
    jobs.fetcher.deliver(ids[1]!);
    await jobs.passTime(6_000);
    await Promise.all(Array.from({ length: 5 }, () => jobs.run('sweepJobs')));
    const job = await jobs.reach(id, 'completed');
    const openings = jobs.fetcher.opened.filter(({ batchId, isAccepted }) => batchId === id && isAccepted);
    expect([job.credits.charged, job.videos[1]?.attempts, openings.length]).toEqual([60, 2, 2]);
    await other.stop();
  });
});

describe('a reader that died', () => {
  let dead: string;
  const dieReading = (id: string) =>
    jobs.eventually(async () => {
      const died = `UPDATE jobs SET read_until = now() + interval '1 day' WHERE id = $1 AND read_until IS NULL RETURNING id`;
      expect(await jobs.query(died, [id])).toHaveLength(1);
      dead = id;
    });
  afterEach(() => jobs.query('UPDATE jobs SET read_until = NULL WHERE id = $1', [dead]));

  it('hides no changes from the comparison', async () => {
    const { id, ids } = await begun('dead-c');
    await dieReading(id);
    jobs.fetcher.deliver(...ids);
    await jobs.query(`UPDATE jobs SET heard_at = heard_at - interval '5 seconds'`);
    await jobs.run('compareBatches');
    expect(await jobs.get(id)).toMatchObject({ status: 'completed', counts: { fetched: 6 } });
  });

  it('hides no changes from the instance that opens rows', async () => {
    const ids = videoIds(3, 'dead-o');
    for (const id of ids) jobs.fetcher.end(id, failedWith('budget_exhausted', 3_000));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reach(job.id, 'paused');
    await dieReading(job.id);
    jobs.fetcher.state.hints = false;
    for (const id of ids) jobs.fetcher.cached.add(id);
    jobs.fetcher.deliver(...ids);
    await jobs.waiting.passTime('job_rows', '1 hour', ['next_attempt_at'], {
      where: 'job_id = $1',
      values: [job.id],
    });
    const due = `UPDATE jobs SET look_at = now(), due_at = now() WHERE id = $1 AND lease_until IS NULL RETURNING id`;
    await jobs.eventually(async () => expect(await jobs.query(due, [job.id])).toHaveLength(1));
    await jobs.run('sweepJobs');
    await jobs.reach(job.id, 'completed');
    jobs.fetcher.state.hints = true;
  });

  it('keeps no job from being cancelled', async () => {
    const { id } = await begun('dead-x');
    await dieReading(id);
    await jobs.cancel(id);
    expect(await jobs.get(id)).toMatchObject({ status: 'cancelled', counts: { cancelled: 5 } });
  });
});
