import { serviceError } from '@tds/contracts';
import { describe, expect, it } from 'vitest';
import { cached, nothingCached, rendered, selection, transcript } from '../test-support/cached.ts';
import { answerOf, type CacheEntry } from './cache-entry.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const gone = serviceError('video_unavailable').data;
const fact = { error: gone, expiresAt: after(1), retryAt: null };
const anyLanguage = { fallback: true };
const strict = { fallback: false };
const fallback = { ...selection, isFallback: true, translation: 'unavailable', available: ['en'] } as const;
const kindOf = (entry: CacheEntry, wanted = anyLanguage) => answerOf(entry, wanted, now).kind;

describe('what the cache answers', () => {
  it('is nothing for a video of which it knows nothing', () => {
    expect(answerOf(nothingCached, anyLanguage, now)).toEqual({ kind: 'unknown' });
  });

  it('is the transcript that the language leads to, and how it relates to that language', () => {
    expect(answerOf(cached, strict, now)).toEqual({
      kind: 'hit',
      hit: { transcript, choice: { isFallback: false, translation: 'not_requested' }, rendered },
    });
    expect(answerOf({ ...cached, selection: fallback }, anyLanguage, now)).toMatchObject({
      hit: { choice: { isFallback: true, translation: 'unavailable' } },
    });
  });

  it('is a hit also where nobody has rendered its file yet', () => {
    expect(answerOf({ ...cached, rendered: null }, anyLanguage, now)).toMatchObject({
      kind: 'hit',
      hit: { rendered: null },
    });
  });

  it('is a transcript rather than what is held against its video now', () => {
    expect(kindOf({ ...cached, fact })).toBe('hit');
  });

  it('is the fact about the video where there is no transcript, for as long as it stands', () => {
    const known = { ...nothingCached, fact };
    expect(answerOf(known, anyLanguage, now)).toEqual({ kind: 'failed', error: gone });
    expect(answerOf(known, anyLanguage, after(1))).toEqual({ kind: 'unknown' });
  });

  it('is nothing once what the language led to has expired: the platform may say something else', () => {
    const refused = { ...fallback, translation: 'refused', expiresAt: after(1) } as const;
    const entry = { ...cached, selection: refused };
    expect(kindOf(entry)).toBe('hit');
    expect(answerOf(entry, anyLanguage, after(1))).toEqual({ kind: 'unknown' });
    expect(answerOf({ ...entry, fact: { ...fact, expiresAt: null } }, anyLanguage, after(1)).kind).toBe(
      'failed',
    );
  });
});

describe('what a strict request cannot get', () => {
  it('has failed with the languages that there are, though a transcript is cached', () => {
    expect(answerOf({ ...cached, selection: fallback }, strict, now)).toMatchObject({
      kind: 'failed',
      error: { code: 'language_unavailable', extras: { available_languages: ['en'] } },
    });
  });

  it('has failed as well where only that is remembered, which says nothing to those who take a fallback', () => {
    const remembered = { ...nothingCached, selection: fallback };
    expect(kindOf(remembered, strict)).toBe('failed');
    expect(kindOf(remembered)).toBe('unknown');
  });

  it('has failed with the wait that is left where a translation was refused', () => {
    const refused = { ...fallback, translation: 'refused', expiresAt: after(12_300) } as const;
    expect(answerOf({ ...cached, selection: refused }, strict, now)).toMatchObject({
      error: { code: 'translation_refused', retryAfterSeconds: 13 },
    });
  });
});

it('a defect is thrown, and told to nobody as a failure of the video', () => {
  const broken: CacheEntry = {
    ...cached,
    get selection(): never {
      throw new TypeError('broken');
    },
  };
  expect(() => answerOf(broken, anyLanguage, now)).toThrow(TypeError);
});
