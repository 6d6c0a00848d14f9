import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs?.stop());

describe('jobs in a list', () => {
  it('are found by any part of their name or source, whatever its case, on all pages', async () => {
    const named = (name: string | null, of: string) =>
      jobs.create({ name, source: { videoIds: videoIds(1, of) } });
    const first = await named('Harbour talks 50%_a', 'nam1');
    await named('Lectures', 'nam2');
    await named(null, 'nam3');
    const second = await named('old harbour', 'nam4');
    const find = async (name: string, more = {}) => {
      const page = { accountId: jobs.account, limit: 10, offset: 0, name, ...more };
      const listed = await jobs.call(bulkOrchestrator.listJobs, page, jobs.context());
      return [listed.jobs.map(({ id }) => id), listed.total];
    };
    expect(await find('HARB')).toEqual([[second.job.id, first.job.id], 2]);
    expect(await find('HARB', { offset: 1 })).toEqual([[first.job.id], 2]);
    // No sign of a pattern is more than itself.
    expect(await find('50%_A')).toEqual([[first.job.id], 1]);
    expect(await find('%')).toEqual([[first.job.id], 1]);
    for (const none of ['h_rbour', '\\', 'nothing']) expect([none, await find(none)]).toEqual([none, [[], 0]]);
    await jobs.kit().db.query("UPDATE jobs SET source_input = '@HarbourMuseum' WHERE id = $1", [first.job.id]);
    expect(await find('harbourmus')).toEqual([[first.job.id], 1]);
  });
});

describe('a job of a monitor', () => {
  it('is listed with the jobs of its monitor, newest first, through an index of these', async () => {
    const monitorId = 'm1'.repeat(16);
    const ofMonitor = (name: string, given = {}) =>
      jobs.create({ source: { videoIds: videoIds(1, name) }, ...given });
    const first = await ofMonitor('mon1', { monitorId });
    await ofMonitor('mon2', { monitorId: 'm2'.repeat(16) });
    const second = await ofMonitor('mon3', { monitorId });
    const page = { accountId: jobs.account, monitorId, limit: 10, offset: 0 };
    const listed = await jobs.call(bulkOrchestrator.listJobs, page, jobs.context());
    expect(listed.jobs.map(({ id }) => id)).toEqual([second.job.id, first.job.id]);
    const client = await jobs.kit().db.connect();
    await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off');
    const { rows } = await client.query(
      'EXPLAIN SELECT * FROM jobs WHERE account_id = $1 AND monitor_id = $2 ORDER BY created_at DESC, id LIMIT 10',
      [jobs.account, monitorId],
    );
    await client.query('ROLLBACK');
    client.release();
    expect(JSON.stringify(rows)).toContain('jobs_by_monitor');
  });

  it('is the same job if the platform calls its source otherwise by now', async () => {
    const request = {
      monitorId: 'm3'.repeat(16),
      idempotencyKey: 'mon4',
      source: { videoIds: videoIds(1, 'mon4') },
    };
    const first = await jobs.create({ ...request, name: 'Harbour TV' });
    expect(await jobs.create({ ...request, name: 'Harbour' })).toEqual({ job: first.job, isReplayed: true });
  });
});
