import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import type { ListedRow } from '../domain/listing.ts';
import { findCached, toFoundVideo } from './found-video.ts';

const row = (given: Partial<ListedRow> = {}): ListedRow => ({
  id: 'dQw4w9WgXcQ',
  title: 'A title',
  publishedAt: '2026-01-15T10:00:00.000Z',
  durationSeconds: 60,
  thumbnailUrl: 'https://i.example/picture.jpg',
  isShort: false,
  ...given,
});
const PICTURE = 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg';

describe('a found video', () => {
  it('has the fields of its row, with the day of publication', () => {
    expect(toFoundVideo(row(), new Map())).toEqual({
      video_id: 'dQw4w9WgXcQ',
      title: 'A title',
      published_at: '2026-01-15',
      duration: 60,
      thumbnail_url: 'https://i.example/picture.jpg',
      is_short: false,
      cached: false,
      original_language: null,
    });
  });

  it('that is cached has the date and the spoken language of its transcript', () => {
    const cached = new Map([['dQw4w9WgXcQ', { published_at: '2025-12-31', original_language: 'ja' }]]);
    expect(toFoundVideo(row(), cached)).toMatchObject({
      ...{ cached: true, published_at: '2025-12-31', original_language: 'ja' },
    });
  });

  it('that is cached without a date keeps the date of its row', () => {
    const cached = new Map([['dQw4w9WgXcQ', { published_at: null, original_language: null }]]);
    expect(toFoundVideo(row(), cached)).toMatchObject({ cached: true, published_at: '2026-01-15' });
    expect(toFoundVideo(row({ publishedAt: null }), cached)).toMatchObject({ published_at: null });
  });

  it.each([
    ['without a picture', null],
    ['with a picture whose address is too long', `https://i.example/${'x'.repeat(5_000)}`],
  ])('%s has the default picture of the platform', (_, thumbnailUrl) => {
    expect(toFoundVideo(row({ thumbnailUrl }), new Map())).toMatchObject({ thumbnail_url: PICTURE });
  });
});

describe('the hint about cached videos', () => {
  type Cached = { id: string; published_at: string | null; original_language: string | null };
  const asking = (
    answer: (ids: readonly string[]) => Promise<Cached[]>,
    signal = new AbortController().signal,
  ) => {
    const asked: string[][] = [];
    const notes: object[] = [];
    const call = async (
      _command: unknown,
      { videoIds }: { videoIds: string[] },
      options: { signal: AbortSignal },
    ) => {
      asked.push(videoIds);
      options.signal.throwIfAborted();
      return { cached: await answer(videoIds) };
    };
    const context = {
      requestId: 'r',
      accountId: 'a',
      signal,
      record: { add: (note: object) => notes.push(note) },
    };
    const read = (ids: readonly string[]) =>
      findCached({ call } as unknown as Deps, ids, context as unknown as Context);
    return { asked, notes, read };
  };

  it('has the cached videos with their dates and spoken languages', async () => {
    const { read } = asking(async () => [
      { id: 'a', published_at: '2026-01-01', original_language: 'ja' },
      { id: 'b', published_at: null, original_language: null },
    ]);
    expect([...(await read(['a', 'b', 'c']))]).toEqual([
      ['a', { published_at: '2026-01-01', original_language: 'ja' }],
      ['b', { published_at: null, original_language: null }],
    ]);
  });

  it('needs no call for no videos', async () => {
    const { read, asked } = asking(async () => []);
    expect((await read([])).size).toBe(0);
    expect(asked).toEqual([]);
  });

  it('covers five hundred videos at most', async () => {
    const { read, asked } = asking(async () => []);
    await read(Array.from({ length: 600 }, (_, index) => `v${index}`));
    expect(asked.map(({ length }) => length)).toEqual([500]);
  });

  it('is empty if the fetcher does not answer, and the record has the reason', async () => {
    const { read, notes } = asking(async () => Promise.reject(serviceError('service_unavailable')));
    expect((await read(['a'])).size).toBe(0);
    expect(notes).toEqual([{ cachedHints: 'service_unavailable' }]);
  });

  it('does not hide other errors', async () => {
    const { read } = asking(async () => Promise.reject(new TypeError('a bug')));
    await expect(read(['a'])).rejects.toThrow('a bug');
  });
});
