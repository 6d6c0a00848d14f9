import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { factError, type NegativeFact, strictError } from './transcript.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);

describe('a strict request for an unavailable language', () => {
  it('is refused with the available languages', () => {
    const unavailable = { translation: 'unavailable', expiresAt: null, available: ['en', 'de'] } as const;
    expect(strictError(unavailable, now)).toMatchObject({
      code: 'language_unavailable',
      data: { extras: { available_languages: ['en', 'de'] } },
    });
    const { message } = strictError(unavailable, now);
    expect(strictError({ ...unavailable, expiresAt: after(600_000) }, now).message).toBe(
      `${message} This is believed until 2026-11-20 12:10 UTC; over HTTP, refresh=true asks the platform at once.`,
    );
  });

  it.each([
    ['what is left of its time', after(41_500), 42],
    ['a second at least', after(-5_000), 1],
    ['a second, if its end is unknown', null, 1],
  ])('is refused for a refused translation for %s', (_what, expiresAt, seconds) => {
    expect(strictError({ translation: 'refused', expiresAt, available: [] }, now)).toMatchObject({
      code: 'translation_refused',
      data: { retryAfterSeconds: seconds },
    });
  });
});

describe('a fact about a video', () => {
  const error = serviceError('transcript_not_ready', { retryAfterSeconds: 120 }).data;
  const fact: NegativeFact = { error, expiresAt: after(60_000), retryAt: after(30_000) };

  it('is answered with the remaining wait: until a retry makes sense, else until it expires, at least a second', () => {
    const waitAt = (at: Date) => factError(fact, at).data.retryAfterSeconds;
    expect([waitAt(now), waitAt(after(10_500)), waitAt(after(29_999))]).toEqual([30, 20, 1]);
    expect([waitAt(after(30_000)), waitAt(after(59_999)), waitAt(after(70_000))]).toEqual([30, 1, 1]);
  });

  it('is answered without a wait if it never changes', () => {
    const gone = { error: serviceError('video_unavailable').data, expiresAt: after(60_000), retryAt: null };
    expect(factError(gone, now).data).toEqual(gone.error);
    const untimed = { error, expiresAt: null, retryAt: null };
    expect(factError(untimed, now).data).toEqual(error);
  });
});
