import { serviceError } from '@tds/contracts';
import { describe, expect, it } from 'vitest';
import { cached, nothingCached, rendered, selection, transcript, video } from '../test-support/cached.ts';
import { type FoundRow, standingOf } from './batch-row.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const error = serviceError('no_captions').data;
const row: FoundRow = {
  operationId: '00000000-0000-7000-8000-000000000002',
  videoId: video.id,
  operation: null,
  entry: nothingCached,
};
const delivered = {
  state: 'delivered',
  charge: 1,
  isFallback: true,
  translation: 'unavailable',
  error: null,
} as const;
const fetching = { ...delivered, state: 'fetching', charge: 0, isFallback: null, translation: null } as const;
const failed = { ...fetching, state: 'failed', error } as const;
const standing = (given: Partial<FoundRow>, wanted = { fallback: true }) =>
  standingOf({ ...row, ...given }, wanted, now);

describe('a row that nobody has sent before', () => {
  it('is what the cache answers, at no charge', () => {
    expect(standing({})).toEqual({ charge: 0, kind: 'unknown' });
    expect(standing({ entry: cached })).toMatchObject({ charge: 0, kind: 'hit', hit: { transcript } });
    const fact = { error, expiresAt: null, retryAt: null };
    expect(standing({ entry: { ...nothingCached, fact } })).toEqual({ charge: 0, kind: 'failed', error });
  });

  it('fails under the rules of its batch: a fallback is nothing for a strict one', () => {
    const entry = {
      ...cached,
      selection: { ...selection, isFallback: true, translation: 'unavailable' as const },
    };
    expect(standing({ entry }).kind).toBe('hit');
    expect(standing({ entry }, { fallback: false })).toMatchObject({
      kind: 'failed',
      error: { code: 'language_unavailable' },
    });
  });
});

describe('a row that is sent again', () => {
  it.each(['reserving', 'fetching'] as const)(
    'is under way while its operation is %s, whatever the cache says',
    (state) => {
      expect(standing({ operation: { ...fetching, state }, entry: cached })).toEqual({
        charge: 0,
        kind: 'under way',
      });
    },
  );

  it('is told the charge and the choice of its own operation, and not what the language leads to by now', () => {
    expect(standing({ operation: delivered, entry: cached }, { fallback: false })).toEqual({
      charge: 1,
      kind: 'hit',
      hit: { transcript, choice: { isFallback: true, translation: 'unavailable' }, rendered },
    });
  });

  it('has failed as its operation has, also where others have got the track since', () => {
    expect(standing({ operation: failed, entry: cached })).toEqual({ charge: 0, kind: 'failed', error });
  });

  it.each([
    ['its transcript', { operation: delivered, entry: nothingCached }],
    ['what was chosen', { operation: { ...delivered, isFallback: null }, entry: cached }],
    ['what became of its translation', { operation: { ...delivered, translation: null }, entry: cached }],
  ])('is never told as delivered without %s', (_what, given) => {
    expect(() => standing(given)).toThrow('is delivered without a transcript');
  });
});
