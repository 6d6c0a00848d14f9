import { describe, expect, it } from '@jest/globals';
import {
  cautions,
  costSentence,
  type Found,
  fileName,
  mayBeSource,
  monitorSource,
  NEW_ACCOUNT_FETCHES,
  planOf,
} from './job-plan.ts';

const now = Date.parse('2026-03-10T00:00:00Z');
const found = (cached: number, cold: number, more: Partial<Found> = {}): Found => ({
  input: '@talks',
  kind: 'channel',
  videos: [...Array(cached).fill({ cached: true }), ...Array(cold).fill({ cached: false })],
  total: cached + cold,
  lost: [],
  omitted: 0,
  ...more,
});
const account = (created_at = '2026-01-01T00:00:00Z') =>
  ({ account: { created_at }, limits: { videos_per_job: 100 } }) as unknown as Parameters<typeof cautions>[2];

describe('the plan of a job', () => {
  it('takes all videos of a small source, and names no number', () => {
    expect(planOf(found(3, 4), null, 100)).toEqual({ count: 7, cached: 3, most: 4, newest: undefined });
  });

  it('takes as many as the tier allows of a large source, and counts the cost of these', () => {
    expect(planOf(found(60, 60, { total: 9_000 }), null, 100)).toMatchObject({
      count: 100,
      most: 40,
      newest: 100,
    });
  });

  it('takes as many as the customer wants', () => {
    expect(planOf(found(0, 50), 10, 100)).toMatchObject({ count: 10, most: 10, newest: 10 });
    expect(planOf(found(0, 50), 500, 100)).toMatchObject({ count: 50, newest: undefined });
  });

  it('never promises the whole of a source that is still counted', () => {
    expect(planOf(found(0, 20, { total: null }), null, 100)).toMatchObject({ count: 20, newest: 20 });
  });

  it('promises nothing for free that is cached in another language than the chosen one', () => {
    const spoken = (original_language: string | null) => ({ cached: true, original_language });
    const videos = [spoken('ja'), spoken('en-GB'), spoken(null)] as unknown as Found['videos'];
    const source = found(3, 0, { videos });
    expect(planOf(source, null, 100, 'orig')).toMatchObject({ cached: 3, most: 0 });
    expect(planOf(source, null, 100, 'en')).toMatchObject({ cached: 1, most: 2 });
    expect(planOf(source, null, 100, 'en,orig')).toMatchObject({ cached: 3, most: 0 });
  });

  it('is told in words with its highest cost', () => {
    expect(costSentence(planOf(found(31, 183), null, 500))).toContain('at most 183 credits');
    expect(costSentence(planOf(found(2, 0), null, 500))).toContain('free');
    expect(costSentence(planOf(found(0, 1), null, 500))).toContain(
      '1 video, none of them cached: at most 1 credit.',
    );
  });
});

describe('the cautions', () => {
  const of = (source: Found, who: Parameters<typeof account>) =>
    cautions(planOf(source, null, 100), source, account(...who), 0, now).join('\n');

  it('are none if everything is covered', () => {
    expect(of(found(0, 10), [])).toBe('');
  });

  it('name the limit of the tier, and what was left out', () => {
    expect(of(found(0, 100, { total: 300 }), [])).toContain('takes 100');
    expect(of(found(0, 1, { lost: ['a', 'b', 'c', 'd', 'e', 'f'] }), [])).toContain('a, b, c, d, e and 1 more');
    expect(of(found(0, 1, { omitted: 2 }), [])).toContain('2 entries of the source could not be read');
  });

  it('name the daily limit of a new account, for two days', () => {
    const many = found(0, NEW_ACCOUNT_FETCHES + 1);
    expect(of(many, ['2026-03-09T00:00:00Z'])).toContain('goes on after 00:00 UTC');
    expect(of(many, ['2026-03-07T23:59:59Z'])).toBe('');
    expect(of(found(0, NEW_ACCOUNT_FETCHES), ['2026-03-09T00:00:00Z'])).toBe('');
  });
});

describe('the daily cap of a person', () => {
  const capped = { ...account(), person: { daily_credit_cap: 5 } } as unknown as Parameters<typeof cautions>[2];
  it.each([
    [8, 0, 'are 5 credits left'],
    [8, 4, 'is 1 credit left'],
    [5, 0, ''],
    [1, 9, 'are 0 credits left'],
  ])('is part of what a job of %i says after %i of the day: %s', (cold, used, words) => {
    const source = found(3, cold);
    const said = cautions(planOf(source, null, 100), source, capped, used, now).join('');
    if (words === '') expect(said).toBe('');
    else expect(said).toContain(words);
  });
});

describe('a pasted text', () => {
  it.each([' @talks\n', 'https://www.youtube.com/@talks', 'list:abc'])('may be a source: %j', (text) => {
    expect(mayBeSource(text)).toBe(true);
  });

  it.each(['see https://youtu.be/a and b', 'a\nb', ''])('is a text with links: %j', (text) => {
    expect(mayBeSource(text)).toBe(false);
  });

  it.each([
    ['https://www.youtube.com/playlist?list=PLabcdefghijk', 'playlist'],
    ['PLabcdefghijkl', 'playlist'],
    ['@talks', 'channel'],
    ['UCabcdefghijklmnopqrstuv', 'channel'],
  ])('is the source of a monitor: %s', (text, field) => {
    expect(Object.keys(monitorSource(text))).toEqual([field]);
  });
});

describe('the name of a file', () => {
  it('keeps the signs of a title, and nothing that a system could run', () => {
    expect(fileName('Giant: newest 300', 1, 1)).toBe('Giant_ newest 300.zip');
    expect(fileName('Q & A (libraries), week #48 + 100 %!', 1, 1, 'md')).toBe(
      'Q & A (libraries), week #48 + 100 %!.md',
    );
    expect(fileName('<img src=x>/../Größe 東京', 1, 1)).toBe('_img src=x__.._Größe 東京.zip');
    expect(fileName('...', 2, 3)).toBe('transcripts-2.zip');
  });
});
