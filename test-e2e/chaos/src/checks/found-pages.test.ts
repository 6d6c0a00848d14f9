import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@tds/audit';
import { channelAt } from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import type { CallRecord, FaultRecord } from '../history.ts';
import { digestOfShown } from '../load/http-call.ts';
import { faultAt500, historyOf, invariantsOf, paidCall } from '../test-support/seen.ts';
import { checkListings, checkSearches } from './found-pages.ts';

/** The database of search has these pages, delivered. */
const evidenceOf = (...ids: string[]) =>
  ({ rows: async () => ids.map((id) => ({ id })) }) as unknown as Evidence;

const search = (seen: Partial<CallRecord> = {}) =>
  paidCall({ kind: 'search', about: 'words', requestId: 'one', accountId: 'a', ...seen });

const found = async (calls: readonly CallRecord[], faults: FaultRecord[] = []) =>
  (await checkSearches(evidenceOf('one', 'two'), historyOf({ calls: [...calls], faults }))).map(
    ({ invariant, what }) => `${invariant} ${what}`,
  );

describe('the check of searches', () => {
  it('finds a page that was paid for and is not there (I3)', async () => {
    expect(await found([search()])).toEqual([]);
    expect(await found([search({ requestId: 'three' })])).toEqual(['I3 page that was paid for']);
  });

  it.each([
    ['that was paid', { charged: 1 }],
    ['whose answer was lost', { charged: 0, outcome: 'unknown', status: null }],
    ['that was answered with a 5xx', { charged: 0, outcome: 'failed', status: 503 }],
  ] as const)('lets a page be free after one %s', async (_title, before) => {
    expect(await found([search(before), search({ at: 2_000, charged: 0 })])).toEqual([]);
  });

  it.each([
    ['nothing was asked', []],
    ['another account has asked', [search({ accountId: 'b' })]],
    ['something else was asked', [search({ about: 'other words' })]],
    ['it was refused', [search({ charged: 0, outcome: 'failed', status: 429 })]],
    ['it was asked later only', [search({ at: 3_000 })]],
  ] as const)('finds a page for nothing before which %s (I2)', async (_title, before) => {
    expect(await found([...before, search({ at: 2_000, charged: 0 })])).toEqual(['I2 a page for nothing']);
  });

  it('finds a page that was paid for again within a minute, and lets one be paid for after it (I2)', async () => {
    const again = (at: number) => search({ at, requestId: 'two' });
    expect(await found([search(), again(60_000)])).toEqual(['I2 the same page within a minute']);
    expect(await found([search(), again(61_001)])).toEqual([]);
    expect(await found([search(), again(1_005)])).toEqual([]);
  });

  it('does not ask a search whose clock is off for the minute', async () => {
    const skewed = faultAt500({ fault: 'skew-clock', target: 'search-1 an hour behind', until: 2_000 });
    const calls = [search(), search({ at: 3_000, requestId: 'two' })];
    expect(await found(calls, [skewed])).toEqual([]);
    expect(await found(calls, [{ ...skewed, target: 'identity-1 an hour behind' }])).toHaveLength(1);
  });
});

describe('the check of listings', () => {
  const list = (ids: readonly string[]) =>
    checkListings({
      calls: [paidCall({ kind: 'list', about: channelAt(3, 1)!.id, charged: 0, sha256: digestOfShown(ids) })],
    });

  it('finds one that lacks a video, has one twice, or in another order (I3)', () => {
    const ids = channelVideoIds(3, 1);
    expect(list(ids)).toEqual([]);
    expect(invariantsOf(list(ids.slice(1)))).toEqual(['I3']);
    expect(invariantsOf(list([...ids, ids[0]!]))).toEqual(['I3']);
    expect(invariantsOf(list(ids.toReversed()))).toEqual(['I3']);
  });
});
