import type { BatchOutcome } from '@tds/contracts';
import { describe, expect, it } from 'vitest';
import { failedWith, refusedWith } from '../test-support/fake-fetcher.ts';
import { judge, mayBeRetried, type RowInHand } from './outcomes.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const minutes = (count: number) => count * 60_000;
const at = (ms: number) => new Date(NOW.getTime() + ms);

const row = (given: Partial<RowInHand> = {}): RowInHand => ({
  ...{ position: 0, videoId: 'v0000000000', operationId: 'op', round: 1, part: 1 },
  ...{ tries: 0, waitingSince: null, ...given },
});
const failed = (...given: Parameters<typeof failedWith>): BatchOutcome =>
  failedWith(...given)('op', {} as never) as BatchOutcome;
const calm = {
  paid: new Set<string>(),
  trouble: { count: 0, since: null },
  rowsLeft: 50,
  isAnswered: true,
  now: NOW,
};
const delivered = { state: 'delivered', charge: 1, operationId: 'op' } as BatchOutcome;

const one = (given: RowInHand, outcome: BatchOutcome, more: Partial<Parameters<typeof judge>[1]> = {}) => {
  const judged = judge([{ row: given, outcome }], { ...calm, ...more });
  return { ...judged, change: judged.changes[0]! };
};

describe('a delivered row', () => {
  it('is fetched for a credit once that is settled', () => {
    const { change } = one(row(), delivered, { paid: new Set(['op']) });
    expect(change).toMatchObject({ status: 'fetched', creditsCharged: 1 });
  });

  it('stays to be paid where its credit is not settled, and keeps its operation', () => {
    const { change, pause } = one(row({ part: null, round: null }), delivered);
    expect(change).toMatchObject({ status: 'pending', isUnpaid: true, creditsCharged: 0, delivered: null });
    expect(pause).toBeNull();
  });

  it('that owes nothing is cached, at no credit', () => {
    const { change } = one(row(), { ...delivered, charge: 0 } as BatchOutcome);
    expect(change).toMatchObject({ status: 'cached', creditsCharged: 0 });
  });
});

describe('a row that fails', () => {
  it('for good is an error at once', () => {
    const { change } = one(row(), failed('video_unavailable'));
    expect(change).toMatchObject({ status: 'error', error: { code: 'video_unavailable' } });
  });

  it('for now is tried again after a wait, and is an error at the third time', () => {
    const first = one(row(), failed('upstream_error')).change;
    expect(first).toMatchObject({ status: 'pending', tries: 1, dueAt: at(5_000) });
    const third = one(row({ tries: 2 }), failed('upstream_error')).change;
    expect(third).toMatchObject({ status: 'error', error: { code: 'upstream_error' } });
  });

  it('waits at least as long as it is told to', () => {
    expect(one(row(), failed('rate_limited', 90)).change.dueAt).toEqual(at(90_000));
  });
});

describe('a live or upcoming video', () => {
  it('is waited for without using up a try, for six hours', () => {
    const first = one(row(), failed('transcript_not_ready', 120)).change;
    expect(first).toMatchObject({ status: 'pending', tries: 0, dueAt: at(120_000), waitingSince: NOW });
    const waiting = row({ waitingSince: at(-minutes(359)) });
    expect(one(waiting, failed('transcript_not_ready')).change).toMatchObject({
      status: 'pending',
      tries: 0,
    });
    const last = one(row({ waitingSince: at(-minutes(360)) }), failed('transcript_not_ready')).change;
    expect(last).toMatchObject({ status: 'error', error: { code: 'transcript_not_ready' } });
  });
});

describe('what stops a job for a while', () => {
  it.each([
    [
      'a cap of the day',
      refusedWith('cold_fetch_cap', 3_600)('op', {} as never)!,
      'daily_limit',
      minutes(60),
    ],
    ['an empty budget', failed('budget_exhausted', 300), 'budget_exhausted', minutes(5)],
  ] as const)('%s uses up no try', (_what, outcome, reason, waitMs) => {
    const { change, pause } = one(row({ tries: 2 }), outcome);
    expect(change).toMatchObject({ status: 'pending', tries: 2, dueAt: null });
    expect(pause).toEqual({ reason, resumeAt: at(waitMs) });
  });

  it('ten failures of the platform in a row, none of which uses up a try', () => {
    const ended = Array.from({ length: 10 }, () => ({ row: row(), outcome: failed('ip_blocked') }));
    const { changes, pause, trouble } = judge(ended, calm);
    expect(changes.map(({ tries }) => tries)).toEqual(Array<number>(10).fill(0));
    expect(pause).toEqual({ reason: 'platform_unavailable', resumeAt: at(30_000) });
    expect(trouble).toEqual({ count: 10, since: NOW });
  });

  it('fewer failures of a small job that never had an answer, up to six for each row', () => {
    const small = { rowsLeft: 1, isAnswered: false };
    expect(one(row(), failed('ip_blocked'), small).pause?.reason).toBe('platform_unavailable');
    const trouble = { count: 5, since: at(-minutes(20)) };
    expect(one(row(), failed('ip_blocked'), { ...small, trouble }).change.tries).toBe(1);
  });

  it('not the failures of a last row, where others were answered', () => {
    const { pause, change } = one(row(), failed('ip_blocked'), { rowsLeft: 1 });
    expect(pause).toBeNull();
    expect(change.tries).toBe(1);
  });

  it('not for ever: after six hours of nothing else, failures use up tries', () => {
    const trouble = { count: 80, since: at(-minutes(360)) };
    const { change, pause } = one(row({ tries: 2 }), failed('ip_blocked'), { trouble });
    expect(change.status).toBe('error');
    expect(pause).toBeNull();
  });

  it('waits as long again as it has lasted', () => {
    const trouble = { count: 20, since: at(-minutes(4)) };
    expect(one(row(), failed('ip_blocked'), { trouble }).pause?.resumeAt).toEqual(at(minutes(4)));
  });

  it('ends the count of failures with any definite answer', () => {
    const trouble = { count: 9, since: at(-1_000) };
    const ended = [
      { row: row(), outcome: failed('ip_blocked') },
      { row: row({ position: 1, operationId: 'other' }), outcome: failed('no_captions') },
    ];
    const judged = judge(ended, { ...calm, trouble });
    expect(judged.pause).toBeNull();
    expect(judged.trouble).toEqual({ count: 0, since: null });
    expect(judged.changes[0]).toMatchObject({ status: 'pending', tries: 1 });
  });

  it('not a refused translation, which says nothing of the platform', () => {
    const ended = Array.from({ length: 20 }, () => ({ row: row(), outcome: failed('translation_refused') }));
    expect(judge(ended, calm).pause).toBeNull();
  });
});

describe('a retry of the job', () => {
  it.each([
    ['upstream_error', true],
    ['transcript_not_ready', true],
    ['po_token_required', true],
    ['no_captions', false],
    ['video_unavailable', false],
  ] as const)('takes up %s: %s', (code, expected) => {
    const { retryable } = failed(code) as { retryable: boolean };
    expect(mayBeRetried({ code, retryable })).toBe(expected);
  });
});
