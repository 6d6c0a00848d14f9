import { describe, expect, it } from '@jest/globals';
import { failedWith } from '../test-support/changes.ts';
import { evaluate, mayBeRetried, type Outcome, type RowState } from './outcomes.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const minutes = (count: number) => count * 60_000;
const at = (ms: number) => new Date(NOW.getTime() + ms);

const row = (given: Partial<RowState> = {}): RowState => ({
  position: 0,
  tries: 0,
  waitingSince: null,
  ...given,
});
const failed = (...given: Parameters<typeof failedWith>): Outcome =>
  failedWith(...given)({ operationId: 'op', position: 0, videoId: 'v' }, {} as never) as Outcome;
const calm = {
  trouble: { count: 0, since: null },
  rowsLeft: 50,
  isAnswered: true,
  isAutomatic: false,
  isOver: false,
  now: NOW,
};
const delivered = { state: 'delivered', charge: 1, operationId: 'op' } as Outcome;

const one = (given: RowState, outcome: Outcome, more: Partial<Parameters<typeof evaluate>[1]> = {}) => {
  const evaluated = evaluate([{ row: given, outcome }], { ...calm, ...more });
  return { ...evaluated, change: evaluated.changes[0]! };
};

describe('a delivered row', () => {
  it('is fetched with its charge, and no longer at the fetcher', () => {
    const { change } = one(row(), delivered);
    expect(change).toMatchObject({ status: 'fetched', operationId: null, isAttempt: true, delivered });
  });

  it('without a charge is cached', () => {
    const { change } = one(row(), { ...delivered, charge: 0 } as Outcome);
    expect(change).toMatchObject({ status: 'cached', error: null });
  });
});

describe('in a job that has ended', () => {
  it.each([
    ['what was delivered is fetched', delivered, 'fetched'],
    ['what failed for good has failed', failed('no_captions'), 'error'],
    ['what would be tried again is cancelled', failed('upstream_error'), 'cancelled'],
    ['what would wait for a broadcast is cancelled', failed('transcript_not_ready', 60), 'cancelled'],
    ['what a cap stands in the way of is cancelled', failed('cold_fetch_cap', 60), 'cancelled'],
  ] as const)('%s, and nothing pauses', (_title, outcome, status) => {
    const { change, pause } = one(row(), outcome, { isOver: true });
    expect([change.status, change.nextAttemptAt, pause]).toEqual([status, null, null]);
  });
});

describe('a failed row', () => {
  it('is final at once after a permanent error', () => {
    const { change } = one(row(), failed('video_unavailable'));
    expect(change).toMatchObject({ status: 'error', error: { code: 'video_unavailable' } });
  });

  it('is retried after a wait after a passing one, and final at the third try', () => {
    const first = one(row(), failed('upstream_error')).change;
    expect(first).toMatchObject({ status: 'pending', tries: 1, nextAttemptAt: at(5_000) });
    const third = one(row({ tries: 2 }), failed('upstream_error')).change;
    expect(third).toMatchObject({ status: 'error', error: { code: 'upstream_error' } });
  });

  it('waits at least for the retry_after of its error', () => {
    expect(one(row(), failed('rate_limited', 90)).change.nextAttemptAt).toEqual(at(90_000));
  });
});

describe('a live or upcoming video', () => {
  const waitingFor = (ms: number) => row({ waitingSince: at(-ms) });

  it('is waited for without using up a try, until it begins', () => {
    const first = one(row(), failed('transcript_not_ready', 7_200)).change;
    expect(first).toMatchObject({
      status: 'pending',
      isAttempt: false,
      tries: 0,
      waitingFor: 'broadcast',
      nextAttemptAt: at(7_200_000),
      waitingSince: NOW,
    });
  });

  it('is waited for until six hours after the first time', () => {
    const { change } = one(waitingFor(minutes(359)), failed('transcript_not_ready'));
    expect(change).toMatchObject({ status: 'pending', nextAttemptAt: at(minutes(1)) });
    const last = one(waitingFor(minutes(360)), failed('transcript_not_ready')).change;
    expect(last).toMatchObject({ status: 'error', error: { code: 'transcript_not_ready' } });
  });

  it.each([
    [minutes(0), 21_600, 'pending'],
    [minutes(0), 21_601, 'error'],
    [minutes(300), 3_600, 'pending'],
    [minutes(300), 3_601, 'error'],
  ] as const)('after %i ms that begins in %i s is %s', (waitedMs, seconds, status) => {
    expect(one(waitingFor(waitedMs), failed('transcript_not_ready', seconds)).change.status).toBe(status);
  });
});

describe('a video without captions yet, in the job of a monitor', () => {
  const automatic = { isAutomatic: true };
  const days = (count: number) => minutes(count * 24 * 60);
  const waits = (waitedMs: number, seconds: number) =>
    one(row({ waitingSince: at(-waitedMs) }), failed('transcript_not_ready', seconds), automatic).change;

  it('is waited for until it is no longer young, and a day for the last look', () => {
    expect(waits(minutes(420), 12 * 3_600)).toMatchObject({
      status: 'pending',
      waitingFor: 'broadcast',
      nextAttemptAt: at(days(0.5)),
    });
    expect(waits(days(6.9), 86_400)).toMatchObject({ status: 'pending', nextAttemptAt: at(days(1)) });
    expect(waits(days(8), 86_400).status).toBe('error');
  });
});

describe('a video without the only language that is taken', () => {
  const hours = (count: number) => minutes(count * 60);
  const ends = (waitedMs: number | null, isAutomatic: boolean) =>
    one(row({ waitingSince: waitedMs === null ? null : at(-waitedMs) }), failed('language_unavailable'), {
      isAutomatic,
    }).change;

  it('is waited for in the job of a monitor: its speech may not be recognised yet', () => {
    expect(ends(null, true)).toMatchObject({ status: 'pending', tries: 0, nextAttemptAt: at(minutes(15)) });
    expect(ends(hours(2), true)).toMatchObject({ status: 'pending', nextAttemptAt: at(hours(2)) });
    expect(ends(hours(20), true)).toMatchObject({ status: 'pending', nextAttemptAt: at(hours(4)) });
  });

  it('is final after a day, and at once in a job that somebody waits for', () => {
    const error = { status: 'error', error: { code: 'language_unavailable' } };
    expect(ends(hours(24), true)).toMatchObject(error);
    expect(ends(null, false)).toMatchObject(error);
  });
});

describe('a job pauses', () => {
  it.each([
    ['a cap of the day', failed('cold_fetch_cap', 3_600), 'daily_limit', minutes(60)],
    ['an empty budget', failed('budget_exhausted', 300), 'budget_exhausted', minutes(5)],
  ] as const)('%s uses up no try', (_what, outcome, reason, waitMs) => {
    const { change, pause } = one(row({ tries: 2 }), outcome);
    expect(change).toMatchObject({ status: 'pending', tries: 2, nextAttemptAt: null });
    expect(pause).toEqual({ reason, lookAt: at(waitMs) });
  });

  it('for ten platform failures in a row, none of which uses up a try', () => {
    const ended = Array.from({ length: 10 }, () => ({ row: row(), outcome: failed('ip_blocked') }));
    const { changes, pause, trouble } = evaluate(ended, calm);
    expect(changes.map(({ tries }) => tries)).toEqual(Array<number>(10).fill(0));
    expect(pause).toEqual({ reason: 'platform_unavailable', lookAt: at(30_000) });
    expect(trouble).toEqual({ count: 10, since: NOW });
  });

  it('for fewer failures in a small job that never had an answer, up to six per row', () => {
    const small = { rowsLeft: 1, isAnswered: false };
    expect(one(row(), failed('ip_blocked'), small).pause?.reason).toBe('platform_unavailable');
    const trouble = { count: 5, since: at(-minutes(20)) };
    expect(one(row(), failed('ip_blocked'), { ...small, trouble }).change.tries).toBe(1);
  });

  it('not for the failures of a last row if others were answered', () => {
    const { pause, change } = one(row(), failed('ip_blocked'), { rowsLeft: 1 });
    expect(pause).toBeNull();
    expect(change.tries).toBe(1);
  });

  it('not again for earlier failures, only for new ones', () => {
    const trouble = { count: 20, since: at(-minutes(4)) };
    expect(evaluate([], { ...calm, trouble })).toEqual({ changes: [], trouble, pause: null });
    const budget = [{ row: row(), outcome: failed('budget_exhausted', 300) }];
    expect(evaluate(budget, { ...calm, trouble }).pause?.reason).toBe('budget_exhausted');
  });

  it('not for ever: after six hours of failures only, they use up tries', () => {
    const trouble = { count: 80, since: at(-minutes(360)) };
    const { change, pause } = one(row({ tries: 2 }), failed('ip_blocked'), { trouble });
    expect(change.status).toBe('error');
    expect(pause).toBeNull();
  });

  it('for as long again as the outage has lasted', () => {
    const trouble = { count: 20, since: at(-minutes(4)) };
    expect(one(row(), failed('ip_blocked'), { trouble }).pause?.lookAt).toEqual(at(minutes(4)));
  });

  it('for failures since the last definite answer only', () => {
    const trouble = { count: 9, since: at(-1_000) };
    const ended = [
      { row: row(), outcome: failed('ip_blocked') },
      { row: row({ position: 1 }), outcome: failed('no_captions') },
    ];
    const evaluated = evaluate(ended, { ...calm, trouble });
    expect(evaluated.pause).toBeNull();
    expect(evaluated.trouble).toEqual({ count: 0, since: null });
    expect(evaluated.changes[0]).toMatchObject({ status: 'pending', tries: 1 });
  });

  it('not for a refused translation, which says nothing about the platform', () => {
    const ended = Array.from({ length: 20 }, () => ({ row: row(), outcome: failed('translation_refused') }));
    expect(evaluate(ended, calm).pause).toBeNull();
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
