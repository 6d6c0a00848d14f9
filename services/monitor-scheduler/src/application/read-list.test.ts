import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { PlatformError } from '@tds/video-platform';
import type { ListedVideo } from '../domain/feed-entries.ts';
import { isOlder, readList, splitByDate, toPlatformError } from './read-list.ts';

const call = { callerId: 'feed' };
const source = { kind: 'playlist', id: 'PLlist' } as const;
const video = (id: string, publishedAt: string | null = null): ListedVideo => ({
  id,
  title: null,
  publishedAt,
});
const refusal = () =>
  new PlatformError(serviceError('upstream_error').data, {
    fact: { kind: 'none' },
    video: null,
    tracks: [],
    wasAsked: true,
  });
const begin = { list_token: null, list_pages: 0 };
const never = async () => false;

/** A list of `count` pages with one video each; the token of a page is its number. */
const newList = (count: number, failing: readonly number[] = []) => {
  const read: (string | null)[] = [];
  const listPage = async (_id: string, token: string | null) => {
    read.push(token);
    const page = token === null ? 0 : Number(token);
    if (failing.includes(page)) throw refusal();
    const row = { ...video(`v${page}`), durationSeconds: null, thumbnailUrl: null, isShort: null };
    return { items: [row], next: page + 1 < count ? String(page + 1) : null, omitted: 0 };
  };
  return { read, platform: { listPage } };
};
const idsOf = (videos: readonly ListedVideo[]) => videos.map(({ id }) => id);

describe('a list', () => {
  it('is read to its end', async () => {
    const { platform } = newList(3);
    const part = await readList(platform, { source, position: begin, isEnough: never }, call);
    expect(idsOf(part.videos)).toEqual(['v0', 'v1', 'v2']);
    expect(part).toMatchObject({ isOver: true, error: null, position: { list_token: null, list_pages: 3 } });
  });

  it('is read eight pages at a time, and read on from there', async () => {
    const { platform } = newList(11);
    const first = await readList(platform, { source, position: begin, isEnough: never }, call);
    expect(first).toMatchObject({ isOver: false, error: null, position: { list_token: '8', list_pages: 8 } });
    const second = await readList(platform, { source, position: first.position, isEnough: never }, call);
    expect(idsOf(second.videos)).toEqual(['v8', 'v9', 'v10']);
    expect(second).toMatchObject({ isOver: true, position: { list_token: null, list_pages: 11 } });
  });

  it('is read no further than enough', async () => {
    const { platform, read } = newList(8);
    const isEnough = async (videos: readonly ListedVideo[]) => idsOf(videos).includes('v2');
    const part = await readList(platform, { source, position: begin, isEnough }, call);
    expect(part).toMatchObject({ isOver: true, position: { list_token: null, list_pages: 3 } });
    expect(read).toEqual([null, '1', '2']);
  });

  it('counts pages anew from its beginning', async () => {
    const { platform } = newList(2);
    const position = { list_token: null, list_pages: 40 };
    const part = await readList(platform, { source, position, isEnough: never }, call);
    expect(part.position).toEqual({ list_token: null, list_pages: 2 });
  });

  it('that fails on a later page keeps what it read and goes on from there', async () => {
    const { platform } = newList(5, [3]);
    const part = await readList(platform, { source, position: begin, isEnough: never }, call);
    expect(idsOf(part.videos)).toEqual(['v0', 'v1', 'v2']);
    expect(part).toMatchObject({ isOver: false, position: { list_token: '3', list_pages: 3 } });
    expect(part.error).toBeInstanceOf(PlatformError);
  });

  it('that fails on the first page starts over, since its token may be refused', async () => {
    const { platform } = newList(5, [3]);
    const position = { list_token: '3', list_pages: 3 };
    const part = await readList(platform, { source, position, isEnough: never }, call);
    expect(part).toMatchObject({ videos: [], isOver: false, position: begin });
  });

  it('that repeats its token ends', async () => {
    const listPage = async () => ({ items: [], next: 'same', omitted: 0 });
    const position = { list_token: 'same', list_pages: 1 };
    const part = await readList({ listPage }, { source, position, isEnough: never }, call);
    expect(part).toMatchObject({ isOver: true, position: { list_token: null, list_pages: 2 } });
  });

  it('that never ends is over after four hundred pages', async () => {
    const { platform } = newList(1_000);
    const position = { list_token: '399', list_pages: 399 };
    const part = await readList(platform, { source, position, isEnough: never }, call);
    expect(part).toMatchObject({ isOver: true, position: { list_pages: 400 } });
  });

  it('does not hide other errors', async () => {
    const listPage = async () => Promise.reject(new TypeError('a bug'));
    await expect(readList({ listPage }, { source, position: begin, isEnough: never }, call)).rejects.toThrow(
      'a bug',
    );
    expect(() => toPlatformError(new TypeError('a bug'))).toThrow('a bug');
  });
});

describe('a video', () => {
  const newest = new Date('2026-01-10T12:00:00Z');

  it.each([
    ['2026-01-10T12:00:00Z', true],
    ['2026-01-10T11:59:59Z', true],
    ['2026-01-10T12:00:01Z', false],
    [null, false],
  ])('of %s is older than the newest known: %s', (publishedAt, expected) => {
    expect(isOlder({ publishedAt }, newest)).toBe(expected);
  });

  it('is not older if no date is known', () => {
    expect(isOlder({ publishedAt: '2020-01-01T00:00:00Z' }, null)).toBe(false);
  });
});

describe('a list without known videos', () => {
  const newest = new Date('2026-01-20T12:00:00Z');
  const dayOf = (age: number) => new Date(Date.UTC(2026, 0, 31 - age)).toISOString();
  /** A video of each day, the newest first; players have the day. */
  const days = Array.from({ length: 31 }, (_, age) => ({ id: `d${31 - age}`, day: dayOf(age) }));
  const players = (undated: readonly string[] = []) => {
    const asked: string[] = [];
    const lookUpVideo = async (id: string) => {
      asked.push(id);
      const found = days.find((each) => each.id === id);
      if (found === undefined) return null;
      return {
        ...video(id, undated.includes(id) ? null : found.day),
        durationSeconds: null,
        thumbnailUrl: null,
        isShort: null,
        broadcast: null,
      };
    };
    return { asked, platform: { lookUpVideo: lookUpVideo as never } };
  };
  const list = days.map(({ id }) => video(id));

  it('is split at the day of the newest known video, whose videos count as new', async () => {
    const { platform } = players();
    const { newVideos, oldVideos } = await splitByDate(platform, list, newest, call);
    expect([newVideos.at(0)?.id, newVideos.at(-1)?.id, oldVideos.at(0)?.id, oldVideos.at(-1)?.id]).toEqual([
      'd31',
      'd20',
      'd19',
      'd1',
    ]);
  });

  it('takes a handful of lookups, however long it is', async () => {
    const { platform, asked } = players();
    await splitByDate(platform, list, newest, call);
    expect(asked.length).toBeLessThanOrEqual(6);
  });

  it('asks about a neighbour of a video without a date', async () => {
    const { platform } = players(['d16']);
    const { newVideos } = await splitByDate(platform, list, newest, call);
    expect(newVideos.at(-1)?.id).toBe('d20');
  });

  it('is old if no date is known: it might be the whole past', async () => {
    const { platform } = players(days.map(({ id }) => id));
    expect(await splitByDate(platform, list, newest, call)).toEqual({ newVideos: [], oldVideos: list });
  });

  it('is new if nothing was known before', async () => {
    const { platform, asked } = players();
    expect(await splitByDate(platform, list, null, call)).toEqual({ newVideos: list, oldVideos: [] });
    expect(asked).toEqual([]);
  });

  it('needs no lookup for entries that have dates', async () => {
    const { platform, asked } = players();
    const dated = days.map(({ id, day }) => video(id, day));
    const { newVideos } = await splitByDate(platform, dated, newest, call);
    expect(newVideos.at(-1)?.id).toBe('d21');
    expect(asked).toEqual([]);
  });

  it('is not split if a lookup fails', async () => {
    const lookUpVideo = async () => Promise.reject(refusal());
    await expect(splitByDate({ lookUpVideo }, list, newest, call)).rejects.toBeInstanceOf(PlatformError);
  });
});
