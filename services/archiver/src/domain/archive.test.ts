import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, tierLimits } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import {
  type Archive,
  buildFailure,
  byteCapRefusal,
  dailyCapRefusal,
  isOverdue,
  KEPT_MS,
  mustBuild,
  nextCreatedAt,
  sortFormats,
} from './archive.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const archive = (given: Partial<Archive>): Archive => ({
  ...{ id: 'a', accountId: 'account', jobId: 'job', contents: 'digest', formats: ['srt'], parts: [] },
  ...{ kind: 'files', maxWords: null },
  ...{ state: 'ready', error: null, createdAt: ago(HOUR_MS), begunAt: ago(HOUR_MS) },
  ...{ endedAt: ago(MINUTE_MS), expiresAt: new Date(NOW.getTime() + KEPT_MS) },
  ...given,
});

describe('an archive', () => {
  it.each([
    ['there is none of these contents', null, false, true],
    ['one is being built, also if a new one is requested', archive({ state: 'building' }), true, false],
    ['it is ready', archive({}), false, false],
    ['it is ready and a new one is requested', archive({}), true, true],
    ['it expires now', archive({ expiresAt: NOW }), false, true],
    ['it failed less than an hour ago', archive({ state: 'failed', endedAt: ago(HOUR_MS - 1) }), false, false],
    ['it failed an hour ago', archive({ state: 'failed', endedAt: ago(HOUR_MS) }), false, true],
  ] as const)('is built or not if %s', (_case, newest, rebuild, isBuilt) => {
    expect(mustBuild(newest, { now: NOW, rebuild })).toBe(isBuilt);
  });

  it('is kept for seven days', () => {
    expect(KEPT_MS).toBe(7 * DAY_MS);
  });

  it('is overdue three hours after its first attempt, and never while it waits for others', () => {
    expect(isOverdue({ begunAt: ago(3 * HOUR_MS) }, NOW)).toBe(false);
    expect(isOverdue({ begunAt: ago(3 * HOUR_MS + 1) }, NOW)).toBe(true);
    expect(isOverdue({ begunAt: null }, NOW)).toBe(false);
  });

  it('is created after the one before it, although clocks of instances differ', () => {
    const ahead = new Date(NOW.getTime() + SECOND_MS);
    expect(nextCreatedAt(archive({ createdAt: ahead }), NOW).getTime()).toBe(ahead.getTime() + 1);
    expect(nextCreatedAt(archive({}), NOW)).toEqual(NOW);
    expect(nextCreatedAt(null, NOW)).toEqual(NOW);
  });

  it('is the same for the same formats in another order', () => {
    expect(sortFormats(['vtt', 'srt'])).toEqual(sortFormats(['srt', 'vtt']));
  });
});

describe('a failed archive', () => {
  it('is refused until an hour after its end, in whole seconds, at least one', () => {
    const failed = (ms: number) => buildFailure(archive({ state: 'failed', endedAt: ago(ms) }), NOW).data;
    const seconds = (ms: number) => failed(ms).retryAfterSeconds;
    expect(failed(0)).toMatchObject({ code: 'archive_failed', retryable: true });
    expect([seconds(0), seconds(1_500), seconds(2 * HOUR_MS)]).toEqual([3_600, 3_599, 1]);
  });

  it('says that its source changed, which no wait repairs', () => {
    const { data } = serviceError('archive_source_changed');
    expect(buildFailure(archive({ state: 'failed', error: data }), NOW).data).toEqual(data);
  });
});

describe('the limits of archives', () => {
  it('refuse an account that keeps its bytes until the first of its archives expires', () => {
    const most = tierLimits.free.archiveBytes;
    const inAMinute = new Date(NOW.getTime() + MINUTE_MS);
    const refused = (bytes: number) => byteCapRefusal({ bytes, firstExpiresAt: inAMinute }, 'free', NOW);
    expect(refused(most - 1)).toBeNull();
    expect(refused(most)?.data).toMatchObject({ code: 'archive_cap', retryAfterSeconds: 60 });
    const expired = byteCapRefusal({ bytes: most, firstExpiresAt: null }, 'free', NOW);
    expect(expired?.data.retryAfterSeconds).toBe(1);
  });

  it('of a day end at 00:00 UTC', () => {
    expect(dailyCapRefusal(NOW).data).toMatchObject({ code: 'archive_cap', retryAfterSeconds: 12 * 3_600 });
  });
});
