import { describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { type FeedResult, PlatformError } from '@tds/video-platform';
import type { Platform } from '../upstream/platform.ts';
import { lookAtSource, readReleases } from './look-at-source.ts';

const call = { callerId: 'feed' };
const channel = { kind: 'channel', id: 'UCabcdefghijklmnopqrstuv' } as const;
const failure = (wasAsked: boolean) =>
  new PlatformError(serviceError('upstream_error').data, {
    fact: { kind: 'none' },
    video: null,
    tracks: [],
    wasAsked,
  });
const entry = (id: string) => ({ id, title: id, publishedAt: null });
const feed = (title: string | null, channelTitle: string | null) =>
  ({
    outcome: 'read',
    feed: { title, channelTitle, channelId: null, entries: [entry('a')], omitted: 0 },
  }) as FeedResult;
const notExpected = async () => Promise.reject(new Error('not expected'));
const newPlatform = (given: Partial<Platform>): Platform => ({
  readFeed: notExpected,
  listPage: notExpected,
  lookUpVideo: notExpected,
  ...given,
});

describe('a look at a source', () => {
  it.each([
    ['its own title', feed('Own', 'Channel'), 'Own'],
    ['the title of its channel', feed(null, 'Channel'), 'Channel'],
    ['no title', feed(null, null), null],
  ])('shows the entries of its feed, with %s', async (_, read, title) => {
    const view = await lookAtSource(newPlatform({ readFeed: async () => read }), channel, call);
    expect(view).toMatchObject({ kind: 'read', title, entries: [{ id: 'a' }] });
  });

  it('of a tab of a channel is named as the channel, not as the tab', async () => {
    const tab = { kind: 'playlist', id: 'UULFabcdefghijklmnopqrstuv' } as const;
    const lookAt = async (read: FeedResult) =>
      lookAtSource(newPlatform({ readFeed: async () => read }), tab, call);
    expect(await lookAt(feed('Videos', 'Channel'))).toMatchObject({ title: 'Channel' });
    expect(await lookAt(feed('Videos', null))).toMatchObject({ title: 'Videos' });
  });

  it('shows the list if the feed is missing', async () => {
    const lists: string[] = [];
    const platform = newPlatform({
      readFeed: async () => ({ outcome: 'missing' }),
      listPage: async (id) => {
        lists.push(id);
        return { items: [], next: null, omitted: 0 };
      },
    });
    expect(await lookAtSource(platform, channel, call)).toEqual({ kind: 'read', title: null, entries: [] });
    expect(lists).toEqual(['UUabcdefghijklmnopqrstuv']);
  });

  it('fails against the source if feed and list are missing', async () => {
    const platform = newPlatform({
      readFeed: async () => ({ outcome: 'missing' }),
      listPage: async () => Promise.reject(serviceError('source_not_found')),
    });
    expect(await lookAtSource(platform, channel, call)).toMatchObject({
      kind: 'failed',
      counts: true,
      error: { code: 'source_not_found' },
    });
  });

  it.each([true, false])(
    'that fails counts against the source if the platform was asked: %s',
    async (wasAsked) => {
      const platform = newPlatform({
        readFeed: async () => ({ outcome: 'failed', error: failure(wasAsked) }),
      });
      expect(await lookAtSource(platform, channel, call)).toMatchObject({ kind: 'failed', counts: wasAsked });
    },
  );

  it('does not hide other errors', async () => {
    const platform = newPlatform({ readFeed: async () => ({ outcome: 'missing' }) });
    await expect(lookAtSource(platform, channel, call)).rejects.toThrow('not expected');
  });
});

describe('the releases of videos', () => {
  const broadcasts: Record<string, string | null> = {
    live: 'live',
    upcoming: 'upcoming',
    members: 'hidden',
    plain: null,
  };
  const platform = newPlatform({
    lookUpVideo: (async (id: string) => {
      if (id === 'broken') throw failure(true);
      return id in broadcasts ? { id, broadcast: broadcasts[id] } : null;
    }) as never,
  });

  it('are upcoming, hidden, out, or unknown if the lookup fails', async () => {
    const releases = await readReleases(
      platform,
      ['live', 'upcoming', 'members', 'plain', 'gone', 'broken'],
      call,
    );
    expect(Object.fromEntries(releases)).toEqual({
      live: 'out',
      upcoming: 'upcoming',
      members: 'hidden',
      plain: 'out',
      gone: 'out',
      broken: 'unknown',
    });
  });

  it('are looked up for fifteen videos at most', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `v${index}`);
    expect([...(await readReleases(platform, many, call)).keys()]).toEqual(many.slice(0, 15));
  });

  it('do not hide other errors', async () => {
    await expect(readReleases(newPlatform({}), ['a'], call)).rejects.toThrow('not expected');
  });
});
