import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { REFUSAL_TTL_MS } from '../../domain/transcript.ts';
import { FACT_TTL_MS, selectionAfter, statusAfter, toNegativeFact } from './video-facts.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const unavailable = serviceError('video_unavailable').data;
const refused = serviceError('translation_refused', { retryAfterSeconds: 60 }).data;
const missing = serviceError('language_unavailable', { extras: { available_languages: ['en'] } }).data;

describe('the status that a failure leaves on a video', () => {
  it.each([
    [serviceError('video_unavailable').data, 'unavailable'],
    [serviceError('no_captions').data, 'no_captions'],
    [serviceError('ip_blocked').data, 'error'],
    [serviceError('upstream_error').data, 'error'],
    [serviceError('transcript_not_ready', { errorClass: 'Unavailable' }).data, 'unknown'],
    [serviceError('transcript_not_ready', { errorClass: 'NoCaptions' }).data, 'unknown'],
  ] as const)('after $0.code is %s', (error, status) => {
    expect(statusAfter(error)).toBe(status);
  });
});

const saying = (message: string, until: string): string =>
  `${message} This is believed until ${until} UTC; over HTTP, refresh=true asks the platform at once.`;

describe('the fact that a failure shows about a video', () => {
  it('is null for a failure of a route, which must never be stored against it', () => {
    expect(toNegativeFact(unavailable, { kind: 'none' }, now)).toBeNull();
  });

  it('is checked again after a week if it is durable, because owners publish videos', () => {
    expect(toNegativeFact(unavailable, { kind: 'durable' }, now)).toEqual({
      error: { ...unavailable, message: saying(unavailable.message, '2026-11-27 12:00') },
      expiresAt: after(FACT_TTL_MS),
      retryAt: null,
    });
  });

  it('is kept for as long as the platform said, with the time of a sensible retry', () => {
    const live = serviceError('transcript_not_ready', { retryAfterSeconds: 90 }).data;
    expect(toNegativeFact(live, { kind: 'short_lived', ttlSeconds: 300 }, now)).toEqual({
      error: { ...live, message: saying(live.message, '2026-11-20 12:05') },
      expiresAt: after(300_000),
      retryAt: after(90_000),
    });
  });
});

describe('the selection that a strict failure shows', () => {
  const complete = { available: ['en', 'de'], translationsComplete: true, lacksForSeconds: null };

  it('is null if the failure is about something else', () => {
    expect(selectionAfter(unavailable, complete, now)).toBeNull();
  });

  it('is a refusal for a minute, since it may succeed later', () => {
    expect(selectionAfter(refused, complete, now)).toEqual({
      isFallback: true,
      translation: 'refused',
      available: ['en', 'de'],
      expiresAt: after(REFUSAL_TTL_MS),
    });
  });

  it('is missing for minutes only if the video is young: its captions may be in the making', () => {
    const young = { ...complete, lacksForSeconds: 600 };
    expect(selectionAfter(missing, young, now)?.expiresAt).toEqual(after(600_000));
  });

  it('is missing for a week; for ten minutes only if some clients were not asked', () => {
    expect(selectionAfter(missing, complete, now)).toMatchObject({
      translation: 'unavailable',
      expiresAt: after(FACT_TTL_MS),
    });
    const incomplete = { ...complete, translationsComplete: false };
    expect(selectionAfter(missing, incomplete, now)?.expiresAt).toEqual(after(600_000));
    expect(selectionAfter(refused, incomplete, now)?.expiresAt).toEqual(after(REFUSAL_TTL_MS));
  });
});
