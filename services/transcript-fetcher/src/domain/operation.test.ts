import { describe, expect, it } from '@jest/globals';
import { abandonedError, assertPollable, isAnswerable, type Operation, POLLABLE_MS } from './operation.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const operation: Operation = {
  id: '00000000-0000-7000-8000-000000000001',
  accountId: '00000000-0000-7000-8000-000000000002',
  videoId: 'manualEn001',
  language: 'en',
  fallback: true,
  format: 'srt',
  state: 'fetching',
  charge: 0,
  transcriptId: null,
  isFallback: null,
  translation: null,
  error: null,
  holdsCredit: false,
  createdAt: now,
};

describe('an operation is answered', () => {
  it.each([
    ['not while the ledger is asked', { state: 'opened' }, false],
    ['not while it waits for its turn', { state: 'ready' }, false],
    ['not while it is fetched', { state: 'fetching' }, false],
    ['once it is delivered for a credit', { state: 'delivered', charge: 1 }, true],
    ['at once when it is delivered for nothing', { state: 'delivered' }, true],
    ['not before the credit of a failure is released', { state: 'failed', holdsCredit: true }, false],
    ['after that', { state: 'failed' }, true],
    ['never if its batch was stopped before its turn', { state: 'cancelled' }, false],
  ] as const)('%s: %j is %s', (_when, given, expected) => {
    expect(isAnswerable({ ...operation, ...given })).toBe(expected);
  });
});

describe('a result', () => {
  it('can be polled for a day, to the millisecond', () => {
    const after = (ms: number) => () => assertPollable(operation, new Date(now.getTime() + ms));
    expect(after(POLLABLE_MS)).not.toThrow();
    expect(after(POLLABLE_MS + 1)).toThrow(expect.objectContaining({ code: 'request_expired' }));
  });

  it('of lost work asks a polling caller to start again instead of polling on', () => {
    expect(abandonedError).toMatchObject({
      code: 'relay_unavailable',
      message: expect.stringContaining('Start again'),
    });
  });
});
