import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { codeOf, copyDatabase } from '@tds/test-kit';
import { failedWith, type SubmitBatchRequest } from './test-support/changes.ts';
import { beginJob, startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000 });
});
afterAll(() => jobs?.stop());

const begun = (name: string, count?: number) => beginJob(jobs, name, count);
const listOpenings = (id: string): SubmitBatchRequest[] =>
  jobs.fetcher.opened.filter(({ batchId, isAccepted }) => batchId === id && isAccepted);

describe('after a restore of the fetcher', () => {
  it.each([
    [
      'has forgotten the batch',
      (id: string) => {
        jobs.fetcher.forget(id);
      },
    ],
    [
      'has an older one',
      (id: string) => {
        const batch = jobs.fetcher.batches.get(id)!;
        batch.version = 1;
        batch.rows.clear();
      },
    ],
    [
      'lacks rows of the same version',
      (id: string) => {
        const { rows } = jobs.fetcher.batches.get(id)!;
        for (const [operationId, { state }] of rows) if (state !== 'delivered') rows.delete(operationId);
      },
    ],
  ] as const)('that %s, open rows are opened again under the same operations', async (what, goBack) => {
    const { id, ids } = await begun(what.slice(0, 5).replace(' ', '_'));
    const [first] = listOpenings(id);
    goBack(id);
    await jobs.query(`UPDATE jobs SET heard_at = heard_at - interval '5 seconds'`);
    await jobs.run('compareBatches');
    await jobs.passTime(0);
    await jobs.eventually(() => expect(listOpenings(id)).toHaveLength(2));
    const again = listOpenings(id)[1]!;
    expect(again.isForgotten).toBe(true);
    expect(again.rows).toEqual(first?.rows.slice(1));
    jobs.fetcher.deliver(...ids);
    expect((await jobs.reach(id, 'completed')).counts.fetched).toBe(6);
  });
});

describe('after a restore of this database', () => {
  const restored = async (work: () => Promise<void>) => {
    await jobs.stopService();
    const copy = await copyDatabase(jobs.harness.databases['bulk-orchestrator']);
    await jobs.startService();
    await work();
    await jobs.stopService();
    await copy.putBack();
    await jobs.startService();
    await copy.drop();
  };
  const compare = async () => {
    await jobs.query(`UPDATE jobs SET heard_at = heard_at - interval '5 seconds'`);
    await jobs.run('compareBatches');
  };

  it('changes come again: rows delivered and paid since then show it, once, and versions continue above', async () => {
    const { id, ids } = await begun('back');
    let version = 0;
    await restored(async () => {
      jobs.fetcher.end(ids[1]!, failedWith('translation_refused'));
      jobs.fetcher.deliver(...ids.slice(2));
      await jobs.eventually(async () => expect((await jobs.get(id)).counts.fetched).toBe(5));
      // Retried under an operation that this database will not have.
      jobs.fetcher.deliver(ids[1]!);
      await jobs.passTime(6_000);
      await jobs.reach(id, 'completed');
      version = (await jobs.manifest(id)).version;
    });
    await compare();
    const job = await jobs.reach(id, 'completed');
    expect(job).toMatchObject({ counts: { fetched: 6 }, credits: { reserved: 0, charged: 6 } });
    expect(jobs.fetcher.chargedFor(id)).toBe(6);
    expect((await jobs.manifest(id)).version).toBeGreaterThan(version);
  });

  it('a lost cancellation is found in the batch', async () => {
    const { id } = await begun('uncancel');
    await restored(async () => {
      await jobs.cancel(id);
    });
    await compare();
    await jobs.eventually(async () => {
      const job = await jobs.get(id);
      expect(job).toMatchObject({ status: 'cancelled', counts: { cancelled: 5 }, credits: { reserved: 0 } });
      expect(job.finished_at).not.toBeNull();
    });
  });

  it('batches of lost jobs are stopped and their charges released; those of known jobs are not', async () => {
    const kept = await begun('known');
    const before = jobs.fetcher.money.available;
    let lost = '';
    await restored(async () => {
      const job = await begun('unknown', 3);
      lost = job.id;
    });
    await jobs.eventually(async () => {
      await jobs.run('reconcileBatches');
      expect(jobs.fetcher.waived).toContain(lost);
    });
    expect([jobs.fetcher.money.available, jobs.fetcher.batches.get(lost)?.state]).toEqual([before, 'stopped']);
    expect(jobs.fetcher.waived).not.toContain(kept.id);
    await jobs.eventually(() =>
      expect(jobs.emittedOf(bulkOrchestrator.jobLost, lost)).toMatchObject([{ accountId: jobs.account }]),
    );
    expect(jobs.emittedOf(bulkOrchestrator.jobLost, kept.id)).toEqual([]);
    jobs.fetcher.deliver(...kept.ids);
    await jobs.reach(kept.id, 'completed');
  });

  it('a job that its owner erased since is erased again, and its running rows are stopped', async () => {
    const audit = async () => {
      await jobs.query(
        `UPDATE messaging.schedules SET due_at = now(), finished_at = NULL
         WHERE name = 'kit-audit-outbox' AND lease_until IS NULL`,
      );
      await jobs.eventually(async () =>
        expect(
          await jobs.query(
            `SELECT FROM messaging.schedules WHERE name = 'kit-audit-outbox' AND finished_at IS NOT NULL`,
          ),
        ).toHaveLength(1),
      );
    };
    const { id, ids } = await begun('unerased');
    await audit();
    await restored(async () => {
      jobs.fetcher.deliver(...ids);
      await jobs.reach(id, 'completed');
      await jobs.erase(id);
      await jobs.eventually(() => expect(jobs.emittedOf(bulkOrchestrator.jobErased, id)).toHaveLength(1));
    });
    expect((await jobs.get(id)).counts.total).toBe(6);
    await jobs.eventually(async () => {
      await audit();
      expect(await codeOf(jobs.get(id))).toBe('job_not_found');
    });
    expect(await jobs.query('SELECT FROM job_rows WHERE job_id = $1', [id])).toEqual([]);
  });

  it('a delivery after a lost retry is shown in the job that had ended', async () => {
    const ids = videoIds(2, 'ended');
    jobs.fetcher.end(ids[1]!, failedWith('po_token_required'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reachInTime(job.id, 'completed');
    await restored(async () => {
      jobs.fetcher.deliver(ids[1]!);
      await jobs.retry(job.id);
      await jobs.eventually(async () => expect((await jobs.get(job.id)).counts.fetched).toBe(2));
    });
    await jobs.eventually(async () => {
      await jobs.run('reconcileBatches');
      expect(await jobs.get(job.id)).toMatchObject({
        counts: { fetched: 2, error: 0 },
        credits: { charged: 2 },
      });
    });
  });
});
