import { channelId } from '@tds/contracts';
import { broken, RefusedAnswer } from '../classification/index.ts';
import { listInside, parseAnswer } from '../reading/index.ts';
import { type Entry, type ReadItem, readPage } from './page-entries.ts';
import type { Page, SearchItem, SearchType } from './types.ts';
import { lockupType, readLockupHead, readVideoEntry } from './video-entries.ts';
import { refuseErrorAlerts, stringAt, textAt, thumbnailAt } from './web-pages.ts';

const playlistId = /^[\w-]{2,100}$/;

const item = (
  type: 'channel' | 'playlist',
  id: string | null,
  fields: Partial<SearchItem>,
): ReadItem<SearchItem> =>
  id === null || !(type === 'channel' ? channelId.safeParse(id).success : playlistId.test(id))
    ? 'unreadable'
    : {
        title: null,
        channelTitle: null,
        thumbnailUrl: null,
        ...fields,
        type,
        id,
        durationSeconds: null,
        viewCount: null,
        publishedText: null,
        hasCaptions: false,
      };

const readChannel = (channel: unknown): ReadItem<SearchItem> => {
  const title = textAt(channel, 'title');
  return item('channel', stringAt(channel, 'channelId'), {
    title,
    channelTitle: title,
    thumbnailUrl: thumbnailAt(channel, 'thumbnail', 'thumbnails'),
  });
};

const readPlaylist = (playlist: unknown): ReadItem<SearchItem> =>
  item('playlist', stringAt(playlist, 'playlistId'), {
    title: textAt(playlist, 'title'),
    channelTitle: textAt(playlist, 'longBylineText') ?? textAt(playlist, 'shortBylineText'),
    thumbnailUrl: thumbnailAt(listInside(playlist, ['thumbnails']).at(0), 'thumbnails'),
  });

const PLAYLIST_LOCKUP = /^LOCKUP_CONTENT_TYPE_(?:PLAYLIST|PODCAST)$/;
/** Lockups that are no results. */
const OTHER_LOCKUP =
  /^LOCKUP_CONTENT_TYPE_(?:ALBUM|CHANNEL|COURSE|GAME|MIX|MOVIE|PRODUCT|RADIO|SHOPPING_COLLECTION|SHOW|SOURCE|STATION)$/;

const readLockup = (lockup: unknown): ReadItem<SearchItem> => {
  const type = lockupType(lockup);
  if (PLAYLIST_LOCKUP.test(type))
    return item('playlist', stringAt(lockup, 'contentId'), readLockupHead(lockup));
  return OTHER_LOCKUP.test(type) ? null : 'unreadable';
};

/** Reads a result that is no video. */
export const readOtherEntry = ({ name, value }: Entry): ReadItem<SearchItem> => {
  if (name === 'channelRenderer') return readChannel(value);
  if (name === 'playlistRenderer') return readPlaylist(value);
  return name === 'lockupViewModel' ? readLockup(value) : 'unreadable';
};

const readEntry = (entry: Entry): ReadItem<SearchItem> => {
  const video = readVideoEntry(entry);
  if (video === undefined) return readOtherEntry(entry);
  if (video === null || video === 'unreadable') return video;
  const { isShort: _, ...details } = video;
  return { type: 'video', ...details };
};

/** Reads one page. Leaves out results of another type, and shelves with their contents. */
export const readSearch = (body: string, type: SearchType): Page<SearchItem> => {
  const answer: unknown = parseAnswer(body);
  refuseErrorAlerts(answer);
  const page = readPage(answer, readEntry);
  if (page === null) throw new RefusedAnswer(broken('no_results_list'));
  return { ...page, items: page.items.filter((result) => result.type === type) };
};
