import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { passLeases } from '@tds/kit/testing';
import { doomedProcesses, eventually, proven } from '@tds/test-kit';
import { failedWith } from './test-support/changes.ts';
import { newListing, startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
const ROWS = 8;
/** Of a caller: the command has it all, so that it and no later sweep passes the point. A death ends the wait. */
const PATIENCE_MS = 30_000;

let jobs: TestJobs;
const doomed = doomedProcesses(program, () => jobs.harness.environmentOf('bulk-orchestrator'));
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000 });
});
afterAll(async () => {
  doomed.stop();
  await jobs?.stop();
});
afterEach(() => jobs.startService());

/** Starts another process after the leases of the dead one. */
const startAgain = async (): Promise<void> => {
  await passLeases('bulk-orchestrator', jobs.harness.databases['bulk-orchestrator']);
  await jobs.startService();
  await jobs.passTime(31_000);
};

/** Each video has as many operations as tries, and one charge. */
const listOperations = (id: string) =>
  jobs.fetcher.rowsOf(id).filter(({ changes }) => changes?.state === 'delivered').length;

const newIds = (crashAt: string, prefix = '') =>
  videoIds(
    ROWS,
    `${prefix}${crashAt
      .split(':')[0]
      ?.slice(prefix === '' ? -8 : -6)
      .replaceAll('-', '_')}`,
  );

describe('a job with a killed process', () => {
  it.each([
    'job-inserted:create-job',
    'job-batch-opened:create-job',
    'job-opened:create-job',
    'job-changes-read:rows-ended',
    'job-changes-saved:rows-ended',
    'job-accepted:create-job',
    ...proven([], ['transaction-committed:create-job']),
  ])(
    'at %s is one job, delivered completely and charged exactly, and its key has one answer',
    async (crashAt) => {
      await jobs.stopService();
      const ids = newIds(crashAt);
      jobs.fetcher.end(ids[0]!, failedWith('no_captions'));
      const given = { source: { videoIds: ids }, idempotencyKey: crashAt };
      await doomed.dieAt(crashAt, () => jobs.create(given, PATIENCE_MS));
      await startAgain();
      const { job } = await eventually(() => jobs.create(given, 10_000));
      const ended = await jobs.reach(job.id, 'completed');
      expect(ended.counts).toMatchObject({ total: ROWS, fetched: ROWS - 1, error: 1 });
      expect(jobs.fetcher.chargedFor(job.id)).toBe(ROWS - 1);
      expect(listOperations(job.id)).toBe(ROWS - 1);
      const all = await jobs.query('SELECT id FROM jobs WHERE idempotency_key = $1', [crashAt]);
      expect(all).toHaveLength(1);
      expect(await jobs.create(given)).toEqual({ job, isReplayed: true });
    },
  );

  it.each(['job-opened:create-job', ...proven([], ['job-inserted:create-job', 'job-batch-opened:create-job'])])(
    'at %s before it is accepted, without a key, is deleted: nothing of it begins, and all credits are free',
    async (crashAt) => {
      const ids = newIds(crashAt, 'n');
      jobs.fetcher.work();
      const before = { ...jobs.fetcher.money };
      await jobs.stopService();
      await doomed.dieAt(crashAt, () => jobs.create({ source: { videoIds: ids } }, PATIENCE_MS));
      // At the time of the answer, and during later work of the platform.
      jobs.fetcher.work();
      expect(jobs.fetcher.money.charged).toBe(before.charged);
      await startAgain();
      await eventually(async () => {
        jobs.fetcher.work();
        const rows = await jobs.query('SELECT FROM job_rows WHERE video_id = ANY ($1)', [ids]);
        expect([rows.length, jobs.fetcher.money]).toEqual([0, before]);
      });
    },
  );

  it('after it was accepted, without a key, exists: its rows begin, and each is charged once', async () => {
    const ids = videoIds(ROWS, 'accept');
    await jobs.stopService();
    await doomed.dieAt('job-accepted:create-job', () =>
      jobs.create({ source: { videoIds: ids } }, PATIENCE_MS),
    );
    await startAgain();
    const [{ id }] = await jobs.query('SELECT DISTINCT job_id AS id FROM job_rows WHERE video_id = ANY ($1)', [
      ids,
    ]);
    const ended = await jobs.reach(id, 'completed');
    expect(ended.credits).toEqual({ reserved: 0, charged: ROWS });
    expect(listOperations(id)).toBe(ROWS);
  });

  it.each([
    'job-changes-read:cancel-job',
    ...proven([], ['transaction-committed:cancel-job', 'task-handled:pause-batch']),
  ])('at %s during its cancellation holds nothing, and is charged for its delivered rows', async (crashAt) => {
    const ids = newIds(crashAt, 'c');
    for (const id of ids.slice(3)) jobs.fetcher.queue(id);
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await eventually(async () => expect((await jobs.get(job.id)).counts.fetched).toBe(3));
    await jobs.stopService();
    await doomed.dieAt(crashAt, () => jobs.cancel(job.id));
    await startAgain();
    await eventually(() => jobs.cancel(job.id));
    const ended = await eventually(async () => {
      const now = await jobs.get(job.id);
      expect(now).toMatchObject({ status: 'cancelled', credits: { reserved: 0 } });
      expect(now.finished_at).not.toBeNull();
      return now;
    });
    expect(ended.counts).toMatchObject({ fetched: 3, cancelled: ROWS - 3 });
    expect(jobs.fetcher.chargedFor(job.id)).toBe(3);
    expect(jobs.fetcher.batches.get(job.id)?.state).toBe('stopped');
  });

  it('after its rows were opened again in a retry opens and charges each of them once', async () => {
    const ids = videoIds(ROWS, 'later_');
    for (const id of ids) jobs.fetcher.end(id, failedWith('translation_refused'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reachInTime(job.id, 'failed');
    for (const id of ids) jobs.fetcher.queue(id);
    await jobs.stopService();
    await doomed.dieAt('job-batch-opened:sweep-jobs', () => jobs.retry(job.id));
    const before = jobs.fetcher.rowsOf(job.id).length;
    await startAgain();
    jobs.fetcher.deliver(...ids);
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended).toMatchObject({ counts: { fetched: ROWS }, credits: { reserved: 0, charged: ROWS } });
    expect([jobs.fetcher.rowsOf(job.id).length, listOperations(job.id)]).toEqual([before, ROWS]);
  });

  it('after its source was listed is listed again, and has its rows once', async () => {
    const ids = videoIds(ROWS, 'listed');
    let asked = 0;
    jobs.finder.commands.listVideos = async () => {
      asked += 1;
      return asked === 1 ? { state: 'pending' } : newListing(ids);
    };
    await jobs.stopService();
    const source = { input: 'https://example.com/listed', contents: 'all', newest: null } as const;
    const given = { source, idempotencyKey: 'listed' };
    await doomed.dieAt('job-listed:enumerate-job', () => jobs.create(given, PATIENCE_MS));
    await startAgain();
    const { job } = await eventually(() => jobs.create(given, 10_000));
    expect(job.status).toBe('enumerating');
    const ended = await jobs.reach(job.id, 'completed');
    expect(ended.counts).toMatchObject({ total: ROWS, fetched: ROWS });
    expect(jobs.fetcher.chargedFor(job.id)).toBe(ROWS);
  });
});
