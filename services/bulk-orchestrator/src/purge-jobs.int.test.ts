import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { codeOf } from '@tds/test-kit';
import { startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs?.stop());

const ended = async (name: string, idempotencyKey: string | null = null) => {
  const given = { source: { videoIds: videoIds(2, name) }, idempotencyKey, name: 'private' };
  const { job } = await jobs.create(given);
  await jobs.reach(job.id, 'completed');
  return { job, given };
};
const rowsLeft = async (id: string) => jobs.query('SELECT FROM job_rows WHERE job_id = $1', [id]);

describe('a job erased by its owner', () => {
  it('is not found, has no rows, and its key returns the remaining head', async () => {
    const { job, given } = await ended('erased', 'erased');
    await jobs.erase(job.id);
    const { getJob, getJobSummary, listJobVideos, getJobManifest, getJobFile, cancelJob, retryJob } =
      bulkOrchestrator;
    const more = { limit: 1, offset: 0, videoId: 'erased00000', tier: 'paid', keyId: null, limitId: null };
    for (const command of [
      getJob,
      getJobSummary,
      listJobVideos,
      getJobManifest,
      getJobFile,
      cancelJob,
      retryJob,
    ])
      expect(
        await codeOf(jobs.call(command, { ...jobs.owned(job.id), ...more } as never, jobs.context())),
      ).toBe('job_not_found');
    const page = { accountId: jobs.account, limit: 100, offset: 0 };
    const listed = await jobs.call(bulkOrchestrator.listJobs, page, jobs.context());
    expect(listed.jobs.map(({ id }) => id)).not.toContain(job.id);
    expect(await rowsLeft(job.id)).toEqual([]);
    const again = await jobs.create(given);
    expect(again).toMatchObject({ isReplayed: true, job: { id: job.id, status: 'completed', videos: [] } });
    expect(again.job).toMatchObject({
      name: null,
      metadata: {},
      counts: { total: 2 },
      credits: { charged: 2 },
    });
    expect(await codeOf(jobs.erase(job.id))).toBe('job_not_found');
    await jobs.eventually(() => expect(jobs.emittedOf(bulkOrchestrator.jobErased, job.id)).toHaveLength(1));
  });

  it('keeps no text of its owner, and its answer is small', async () => {
    const metadata = { who: 'private metadata' };
    const ids = videoIds(500, 'private');
    const given = { source: { videoIds: ids }, idempotencyKey: 'kept', name: 'private name', metadata };
    const { job } = await jobs.create(given);
    await jobs.reach(job.id, 'completed');
    const [{ before }] = await jobs.query('SELECT length(answer) AS before FROM jobs WHERE id = $1', [job.id]);
    expect(before).toBeLessThan(4_096);
    await jobs.erase(job.id);
    const [{ answer, ...left }] = await jobs.query('SELECT * FROM jobs WHERE id = $1', [job.id]);
    const kept = `${inflateRawSync(answer).toString()}${JSON.stringify(left)}`;
    expect(kept).not.toContain('private');
    expect(answer.length).toBeLessThan(512);
  });

  it('must have ended, to its last row', async () => {
    const ids = videoIds(2, 'active');
    for (const id of ids) jobs.fetcher.hold(id);
    const { job } = await jobs.create({ source: { videoIds: ids } });
    expect(await codeOf(jobs.erase(job.id))).toBe('job_not_ended');
    await jobs.eventually(async () => expect((await jobs.get(job.id)).counts.processing).toBe(2));
    await jobs.cancel(job.id);
    expect(await codeOf(jobs.erase(job.id))).toBe('job_not_ended');
    jobs.fetcher.deliver(...ids);
    await jobs.eventually(() => jobs.erase(job.id));
  });
});

describe('jobs that ended 180 days ago', () => {
  it('are erased, in any number, and others are not', async () => {
    const [old, recent] = [await ended('old'), await ended('recent')];
    const age = (id: string, days: number) =>
      jobs.query("UPDATE jobs SET finished_at = finished_at - $2 * interval '1 day' WHERE id = $1", [id, days]);
    await age(old.job.id, 181);
    await age(recent.job.id, 179);
    await jobs.query(
      `INSERT INTO jobs SELECT (jsonb_populate_record(jobs, jsonb_build_object('id', gen_random_uuid()))).*
       FROM jobs, generate_series(1, 250) WHERE id = $1`,
      [old.job.id],
    );
    await jobs.run('purgeJobs');
    expect(
      await jobs.query(
        `SELECT FROM jobs WHERE erased_at IS NULL AND finished_at < now() - interval '180 days'`,
      ),
    ).toEqual([]);
    expect([await codeOf(jobs.get(old.job.id)), (await rowsLeft(old.job.id)).length]).toEqual([
      'job_not_found',
      0,
    ]);
    expect((await jobs.get(recent.job.id)).counts.fetched).toBe(2);
    await jobs.eventually(() => expect(jobs.emittedOf(bulkOrchestrator.jobErased, old.job.id)).toHaveLength(1));
  });
});
