import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { freshMs, hasPage, type Listing, nextOffset, usableListing } from './listing.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const HOUR_MS = 3_600_000;
const listing = (given: Partial<Listing> = {}): Listing => ({
  id: 'a',
  playlistId: 'UUabcdefghijklmnopqrstuv',
  contents: 'all',
  state: 'complete',
  phase: 'rows',
  nextToken: null,
  rowCount: 0,
  pageCount: 1,
  omitted: 0,
  error: null,
  createdAt: ago(1_000),
  endedAt: ago(500),
  ...given,
});
const failed = (code: 'source_not_found' | 'upstream_error' | 'service_unavailable', endedAt: Date | null) =>
  listing({ state: 'failed', error: serviceError(code).data, endedAt });

describe('the listing of a new walk', () => {
  it('must be started if there is none', () => {
    expect(usableListing(null, now, HOUR_MS)).toBeNull();
  });

  it('is the open one, whatever its age', () => {
    for (const createdAt of [ago(0), ago(10 * HOUR_MS)]) {
      const open = listing({ state: 'open', createdAt, endedAt: null });
      expect(usableListing(open, now, HOUR_MS)).toBe(open);
    }
  });

  it.each([
    [0, true],
    [HOUR_MS - 1, true],
    [HOUR_MS, false],
    [HOUR_MS + 1, false],
  ])('is a complete one of %s ms: %s', (age, isUsed) => {
    const complete = listing({ createdAt: ago(age) });
    expect(usableListing(complete, now, HOUR_MS)).toBe(isUsed ? complete : null);
  });

  it('repeats a final failure for a minute, without a request to the platform', () => {
    const isRepeated = expect.objectContaining({ code: 'source_not_found' });
    expect(() => usableListing(failed('source_not_found', ago(0)), now, HOUR_MS)).toThrow(isRepeated);
    expect(() => usableListing(failed('source_not_found', ago(59_999)), now, HOUR_MS)).toThrow(isRepeated);
    expect(usableListing(failed('source_not_found', ago(60_000)), now, HOUR_MS)).toBeNull();
  });

  it('is started again after a failure that may pass', () => {
    expect(usableListing(failed('service_unavailable', ago(0)), now, HOUR_MS)).toBeNull();
  });

  it('is started again after a failure without an error or a time', () => {
    expect(usableListing(listing({ state: 'failed' }), now, HOUR_MS)).toBeNull();
    expect(usableListing(failed('source_not_found', null), now, HOUR_MS)).toBeNull();
  });
});

describe('the time that a listing stays fresh', () => {
  it.each([
    [0, HOUR_MS],
    [1_000, HOUR_MS - 1_000],
    [HOUR_MS, 0],
    [2 * HOUR_MS, 0],
  ])('is, after %s ms, %s ms', (age, left) => {
    expect(freshMs({ createdAt: ago(age) }, now, HOUR_MS)).toBe(left);
  });
});

describe('a page', () => {
  it.each([
    ['open', 0, 0, false],
    ['open', 100, 0, false],
    ['open', 101, 0, true],
    ['open', 200, 100, false],
    ['open', 201, 100, true],
    ['complete', 0, 0, true],
    ['complete', 150, 100, true],
    ['failed', 100, 0, false],
  ] as const)(
    'of a listing that is %s with %s rows, from offset %s, is complete: %s',
    (state, rowCount, offset, is) => {
      expect(hasPage(listing({ state, rowCount }), offset, 100)).toBe(is);
    },
  );

  it.each([
    [0, 0, null],
    [100, 0, null],
    [101, 0, 100],
    [250, 100, 200],
    [250, 200, null],
    [20_000, 900, 1_000],
    [20_000, 1_000, null],
  ])('of %s rows at offset %s is followed by one at %s', (rowCount, offset, next) => {
    expect(nextOffset(rowCount, offset, 100, 1_000)).toBe(next);
  });
});
