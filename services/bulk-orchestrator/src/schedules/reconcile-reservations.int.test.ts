import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ environment: { ORPHANED_AFTER: '0ms' } });
});
afterAll(() => jobs?.stop());

describe('credits that the ledger holds for jobs', () => {
  it('are given back where nobody knows the job, on whichever page, and kept where it is under way', async () => {
    const [held = ''] = videoIds(1, 'held');
    jobs.fetcher.hold(held);
    await jobs.create({ source: { videoIds: [held] } });
    const ours = [...jobs.ledger.reservations.keys()];
    const lost = ['0-lost', 'f-lost', 'z-lost'];
    for (const ref of lost) jobs.ledger.reserve(ref, 3);
    await jobs.reconcile();
    const states = (refs: readonly string[]) => refs.map((ref) => jobs.ledger.reservations.get(ref)?.state);
    expect(states(lost)).toEqual(['released', 'released', 'released']);
    expect(states(ours)).toEqual(['open']);
  });
});
