import { serviceError } from '@tds/errors';
import type { FeedResult, ListedVideo, SeenVideo } from '@tds/video-platform';
import { PlatformError } from '@tds/video-platform';
import type { Platform } from '../upstream/platform.ts';

const FEED_SIZE = 15;
const PAGE = 20;

type Video = { readonly id: string; readonly publishedAt: string; broadcast: SeenVideo['broadcast'] };
/** How the platform answers for the feed of a source. */
export type Mood = 'well' | 'missing' | 'broken' | 'unreachable';

const toListed = ({ id }: Video): ListedVideo => ({
  ...{ id, title: `Video ${id}`, publishedAt: null, durationSeconds: 60, thumbnailUrl: null, isShort: null },
});

const platformError = (code: 'upstream_error' | 'source_not_found', wasAsked = true): PlatformError =>
  new PlatformError(serviceError(code).data, { fact: { kind: 'none' }, video: null, tracks: [], wasAsked });

/** Several a day; players give the day only. */
const UPLOADED_EVERY_MS = 6 * 3_600_000;
const dayOf = (moment: string): string => `${moment.slice(0, 10)}T00:00:00.000Z`;

/** Channels and playlists in memory, by their lists: newest first. */
export const fakePlatform = () => {
  const lists = new Map<string, Video[]>();
  const moods = new Map<string, Mood>();
  const asked: string[] = [];
  const holds = new Map<string, Promise<void>>();
  let uploads = 0;
  let isListing = true;
  let arePlayersWell = true;
  const playlistToRead = (sourceId: string): string => sourceId.replace(/^UC/, 'UU');
  const videosOf = (sourceId: string) => lists.get(playlistToRead(sourceId));

  const newVideo = (): Video => {
    uploads += 1;
    const publishedAt = new Date(Date.UTC(2026, 0, 1) + uploads * UPLOADED_EVERY_MS).toISOString();
    return { id: `v${String(uploads).padStart(10, '0')}`, publishedAt, broadcast: 'none' };
  };

  const readFeed = async (sourceId: string): Promise<FeedResult> => {
    asked.push(`feed ${sourceId}`);
    const hold = holds.get(sourceId);
    holds.delete(sourceId);
    await hold;
    const mood = moods.get(sourceId) ?? 'well';
    if (mood === 'broken' || mood === 'unreachable')
      return { outcome: 'failed', error: platformError('upstream_error', mood === 'broken') };
    const videos = videosOf(sourceId);
    if (videos === undefined || mood === 'missing') return { outcome: 'missing' };
    const entries = videos.slice(0, FEED_SIZE).map(({ id, publishedAt }) => ({
      ...{ id, title: `Video ${id}`, publishedAt },
    }));
    const feed = { title: `Source ${sourceId}`, channelId: null, channelTitle: null, entries, omitted: 0 };
    return { outcome: 'read', feed };
  };

  const platform: Platform = {
    readFeed,
    listPage: async (listId, token) => {
      asked.push(`list ${listId}`);
      const videos = lists.get(listId);
      if (!isListing) throw platformError('upstream_error');
      if (videos === undefined) throw platformError('source_not_found');
      const from = Number(token ?? 0);
      const next = from + PAGE < videos.length ? String(from + PAGE) : null;
      return { items: videos.slice(from, from + PAGE).map(toListed), next, omitted: 0 };
    },
    lookUpVideo: async (id): Promise<SeenVideo | null> => {
      asked.push(`video ${id}`);
      const video = [...lists.values()].flat().find((each) => each.id === id);
      if (!arePlayersWell) throw platformError('upstream_error');
      if (video === undefined) return null;
      const { publishedAt, broadcast } = video;
      return { ...toListed(video), publishedAt: dayOf(publishedAt), broadcast };
    },
  };
  return {
    platform,
    asked,
    asksFor: (what: string) => asked.filter((each) => each === what).length,
    add: (sourceId: string) => void lists.set(playlistToRead(sourceId), []),
    /** Uploads videos in turn; resolves to their ids in that order. */
    upload: (sourceId: string, count = 1, broadcast: SeenVideo['broadcast'] = 'none'): string[] =>
      Array.from({ length: count }, () => {
        const video = { ...newVideo(), broadcast };
        videosOf(sourceId)?.unshift(video);
        return video.id;
      }),
    /** Adds videos at the end of a playlist; resolves to their ids in that order. */
    append: (sourceId: string, count: number): string[] => {
      const added = Array.from({ length: count }, newVideo);
      videosOf(sourceId)?.push(...added);
      return added.map(({ id }) => id);
    },
    release: (id: string) => {
      for (const video of [...lists.values()].flat()) if (video.id === id) video.broadcast = 'none';
    },
    remove: (sourceId: string, count: number) => void videosOf(sourceId)?.splice(0, count),
    is: (sourceId: string, mood: Mood) => void moods.set(sourceId, mood),
    /** Delays the next answer for this feed until the result is called. */
    hold: (sourceId: string): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(sourceId, promise);
      return resolve;
    },
    lists: (isWell: boolean) => {
      isListing = isWell;
    },
    players: (isWell: boolean) => {
      arePlayersWell = isWell;
    },
  };
};
export type FakePlatform = ReturnType<typeof fakePlatform>;
