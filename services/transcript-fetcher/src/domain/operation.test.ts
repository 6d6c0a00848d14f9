import { describe, expect, it } from 'vitest';
import {
  abandonedError,
  assertPollable,
  isAnswerable,
  LONGEST_OPERATION_MS,
  LONGEST_RESERVING_MS,
  type Operation,
  POLLABLE_MS,
  SETTLEMENT_OVERDUE_MS,
} from './operation.ts';
import { ORPHANED_AFTER_MS } from './reconciling.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const operation: Operation = {
  id: '00000000-0000-7000-8000-000000000001',
  accountId: '00000000-0000-7000-8000-000000000002',
  keyId: '00000000-0000-7000-8000-000000000003',
  videoId: 'manualEn001',
  language: 'en',
  fallback: true,
  format: 'srt',
  state: 'fetching',
  settlement: 'pending',
  price: 1,
  charge: 0,
  transcriptId: null,
  isFallback: null,
  translation: null,
  error: null,
  createdAt: now,
};

describe('an operation is answered', () => {
  it.each([
    ['while it is opened', { state: 'reserving' }, false],
    ['while it is fetched', { state: 'fetching' }, false],
    ['once it is delivered for a credit, settled or not', { state: 'delivered', charge: 1 }, true],
    ['after its settlement, too', { state: 'delivered', charge: 1, settlement: 'settled' }, true],
    [
      'and if the ledger could not charge it any more',
      { state: 'delivered', charge: 1, settlement: 'uncollected' },
      true,
    ],
    ['before the credit of a free delivery is given back', { state: 'delivered' }, false],
    ['after that', { state: 'delivered', settlement: 'released' }, true],
    ['before the credit of a failure is given back', { state: 'failed' }, false],
    ['after that, too', { state: 'failed', settlement: 'released' }, true],
    [
      'of a batch at once when it is delivered for nothing',
      { state: 'delivered', settlement: 'by_caller' },
      true,
    ],
    ['of a batch at once when it has failed', { state: 'failed', settlement: 'by_caller' }, true],
    ['of a batch not while it is fetched', { state: 'fetching', settlement: 'by_caller' }, false],
  ] as const)('%s: %j is %s', (_when, given, expected) => {
    expect(isAnswerable({ ...operation, ...given })).toBe(expected);
  });
});

describe('a result', () => {
  it('can be polled for a day, to the millisecond, and no longer', () => {
    const after = (ms: number) => () => assertPollable(operation, new Date(now.getTime() + ms));
    expect(after(POLLABLE_MS)).not.toThrow();
    expect(after(POLLABLE_MS + 1)).toThrow(expect.objectContaining({ code: 'request_expired' }));
  });

  it('of work that was lost tells a polling caller to start again, and not to poll on', () => {
    expect(abandonedError).toMatchObject({
      code: 'relay_unavailable',
      message: expect.stringContaining('Start again'),
    });
  });
});

describe('the times of an operation', () => {
  it('follow each other: a credit is never given back by the reconciler while somebody may still need it', () => {
    const ordered = [LONGEST_RESERVING_MS, LONGEST_OPERATION_MS, ORPHANED_AFTER_MS, POLLABLE_MS];
    expect(ordered).toEqual(ordered.toSorted((one, other) => one - other));
    expect(LONGEST_OPERATION_MS + SETTLEMENT_OVERDUE_MS).toBeLessThan(ORPHANED_AFTER_MS);
  });
});
