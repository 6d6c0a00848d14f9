import { copyDatabase } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedWith } from '../test-support/fake-fetcher.ts';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ environment: { ORPHANED_AFTER: '0ms' }, limits: { coldWindow: 2 } });
});
afterAll(() => jobs?.stop());

describe('credits that the ledger holds for jobs', () => {
  it('are given back where nobody knows the job, on whichever page, and kept where it is under way', async () => {
    const [held = ''] = videoIds(1, 'held');
    jobs.fetcher.hold(held);
    const { job } = await jobs.create({ source: { videoIds: [held] } });
    const ours = [...jobs.ledger.reservations.keys()];
    const lost = ['0-lost', 'f-lost', 'z-lost'];
    for (const ref of lost) jobs.ledger.reserve(ref, 3);
    await jobs.reconcile();
    const states = (refs: readonly string[]) => refs.map((ref) => jobs.ledger.reservations.get(ref)?.state);
    expect(states(lost)).toEqual(['released', 'released', 'released']);
    expect(states(ours)).toEqual(['open']);
    jobs.fetcher.deliver(held);
    await jobs.reach(job.id, 'completed');
  });
});

const chargedFor = (id: string): number =>
  jobs.ledger.ofJob(id).reduce((sum, [, { charged }]) => sum + charged.size, 0);

describe('where the database went back, what was charged', () => {
  it('for a job that is lost is given back once, whole, and nothing else is', async () => {
    const kept = (await jobs.create({ source: { videoIds: videoIds(2, 'kept') } })).job.id;
    await jobs.reach(kept, 'completed');
    const before = jobs.ledger.available();
    const lost = (await jobs.create({ source: { videoIds: videoIds(5, 'lost') } })).job.id;
    await jobs.reach(lost, 'completed');
    expect(jobs.ledger.available()).toBe(before - 5);
    await jobs.kit().db.query('DELETE FROM jobs WHERE id = $1', [lost]);
    for (const _run of [1, 2]) {
      await jobs.reconcile();
      expect(jobs.ledger.available()).toBe(before);
    }
    expect(jobs.ledger.ofJob(kept).map(([ref]) => jobs.ledger.refunded.has(ref))).toEqual([false]);
  });

  it('while a job of which some rows are lost still holds credits is given back when those are', async () => {
    const before = jobs.ledger.available();
    const [first = '', second = ''] = videoIds(2, 'half');
    jobs.fetcher.hold(second);
    const { id } = (await jobs.create({ source: { videoIds: [first, second] } })).job;
    await jobs.eventually(() => expect(chargedFor(id)).toBe(1));
    await jobs.kit().db.query('DELETE FROM jobs WHERE id = $1', [id]);
    await jobs.reconcile();
    expect(jobs.ledger.available()).toBe(before);
    // Whoever worked on it meanwhile finds that there is nothing to charge.
    jobs.fetcher.deliver(second);
    await jobs.passTime(0);
    expect([chargedFor(id), jobs.ledger.available()]).toEqual([1, before]);
  });

  it('for rows of a job that goes on from there is theirs, and no row is charged twice', async () => {
    const ids = videoIds(6, 'back');
    const [first = '', second = '', third = ''] = ids;
    for (const id of [first, second]) jobs.fetcher.hold(id);
    const { id } = (await jobs.create({ source: { videoIds: ids } })).job;
    await jobs.eventually(async () => expect((await jobs.get(id)).counts.processing).toBe(2));
    await jobs.stopService();
    const copy = await copyDatabase(jobs.harness.databases['bulk-orchestrator']);
    await jobs.startService();
    jobs.fetcher.end(third, failedWith('no_captions'));
    for (const each of [first, second]) jobs.fetcher.deliver(each);
    await jobs.reach(id, 'completed');
    const before = jobs.ledger.available();
    expect(chargedFor(id)).toBe(5);
    await jobs.stopService();
    await copy.putBack();
    await jobs.startService();
    // What failed then is delivered now: its reservation is gone, and has paid for others.
    jobs.fetcher.deliver(third);
    const again = await jobs.reach(id, 'completed');
    expect(again.counts).toMatchObject({ fetched: 3, cached: 3 });
    await jobs.reconcile();
    expect(await jobs.get(id)).toMatchObject({
      counts: { fetched: 6, cached: 0 },
      credits: { reserved: 0, charged: 6 },
    });
    expect([chargedFor(id), before - jobs.ledger.available()]).toEqual([6, 1]);
    await copy.drop();
  });
});
