import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@tds/audit';
import type { CallRecord } from '../history.ts';
import { checkJobs } from './begun-jobs.ts';

const call = (given: Partial<CallRecord> = {}): CallRecord => ({
  ...{ type: 'call', kind: 'job', at: 0, ms: 1, outcome: 'ok', status: 202, code: null, requestId: 'r' },
  ...{ accountId: 'a', keyId: 'k', about: 'one', charged: 0, cache: null, sha256: 'x', hot: false, ...given },
});
const stored = (...jobs: readonly object[]) => ({ rows: async () => jobs }) as unknown as Evidence;
const one = { account_id: 'a', key: 'one', status: 'completed' };
const found = async (evidence: Evidence, ...calls: CallRecord[]) =>
  (await checkJobs(evidence, { calls })).map(({ invariant }) => invariant);

describe('the check of jobs', () => {
  it('finds nothing if repeats are answered the same and the job exists', async () => {
    expect(await found(stored(one), call(), call(), call({ status: 503, sha256: null }))).toEqual([]);
  });

  it('finds two answers to one key', async () => {
    expect(await found(stored(one), call(), call({ sha256: 'y' }))).toEqual(['I5']);
  });

  it('finds a job that was accepted and is gone', async () => {
    expect(await found(stored(), call())).toEqual(['I3']);
  });
});
