import { ServiceError, serviceError } from '@tds/contracts';
import { describe, expect, it } from 'vitest';
import {
  assertDeliverable,
  type CachedSelection,
  isCurrent,
  isStanding,
  type NegativeFact,
  standingError,
} from './selection.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const native: CachedSelection = {
  isFallback: false,
  translation: 'not_requested',
  available: ['en'],
  expiresAt: null,
};
const fallback: CachedSelection = { ...native, isFallback: true, translation: 'unavailable' };
const thrownBy = (work: () => void): ServiceError | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
};
const refusalOf = (selection: CachedSelection, wantsFallback: boolean) =>
  thrownBy(() => assertDeliverable(selection, { fallback: wantsFallback }, now));

describe('a remembered selection', () => {
  it('holds until the moment at which it expires, or for ever', () => {
    expect(isCurrent(native, now)).toBe(true);
    expect(isCurrent({ ...native, expiresAt: after(1) }, now)).toBe(true);
    expect(isCurrent({ ...native, expiresAt: now }, now)).toBe(false);
  });

  it('is delivered to everybody if it is the wanted language, and a fallback to those who take one', () => {
    expect(refusalOf(native, false)).toBeNull();
    expect(refusalOf(fallback, true)).toBeNull();
  });

  it('refuses a strict request with the languages that there are', () => {
    expect(refusalOf({ ...fallback, available: ['en', 'de'] }, false)).toMatchObject({
      code: 'language_unavailable',
      data: { extras: { available_languages: ['en', 'de'] } },
    });
  });

  it.each([
    ['what is left of its time', after(41_500), 42],
    ['a second at least', after(-5_000), 1],
    ['a second, if nobody knows its end', null, 1],
  ])('refuses a strict request for a refused translation for %s', (_what, expiresAt, seconds) => {
    const refused: CachedSelection = { ...fallback, translation: 'refused', expiresAt };
    expect(refusalOf(refused, false)).toMatchObject({
      code: 'translation_refused',
      data: { retryAfterSeconds: seconds },
    });
  });
});

describe('a fact about a video', () => {
  const error = serviceError('transcript_not_ready', { retryAfterSeconds: 120 }).data;
  const fact: NegativeFact = { error, expiresAt: after(60_000), retryAt: after(30_000) };

  it('stands until it expires, or for ever', () => {
    expect(isStanding(fact, now)).toBe(true);
    expect(isStanding(fact, after(60_000))).toBe(false);
    expect(isStanding({ ...fact, expiresAt: null }, after(1e12))).toBe(true);
  });

  it('is told with the wait that is left: until asking makes sense, then until it expires, a second at least', () => {
    const waitAt = (at: Date) => standingError(fact, at).data.retryAfterSeconds;
    expect([waitAt(now), waitAt(after(10_500)), waitAt(after(29_999))]).toEqual([30, 20, 1]);
    expect([waitAt(after(30_000)), waitAt(after(59_999)), waitAt(after(70_000))]).toEqual([30, 1, 1]);
  });

  it('that never changes is told without a wait', () => {
    const gone = { error: serviceError('video_unavailable').data, expiresAt: after(60_000), retryAt: null };
    expect(standingError(gone, now).data).toEqual(gone.error);
    const untimed = { error, expiresAt: null, retryAt: null };
    expect(standingError(untimed, now).data).toEqual(error);
  });
});
