import type { PlatformError } from '../errors/platform-error.ts';
import type { Broadcast } from '../types.ts';

export const searchTypes = ['video', 'channel', 'playlist'] as const;
export type SearchType = (typeof searchTypes)[number];

/** One result of a search. Unknown values are null. */
export type SearchItem = {
  readonly type: SearchType;
  readonly id: string;
  readonly title: string | null;
  readonly channelTitle: string | null;
  readonly durationSeconds: number | null;
  readonly viewCount: number | null;
  /** The platform's display text, such as `3 years ago`. */
  readonly publishedText: string | null;
  readonly hasCaptions: boolean;
  readonly thumbnailUrl: string | null;
};

/** `next` is the platform's token of the next page, null on the last. `omitted` counts unreadable items. */
export type Page<Item> = {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly omitted: number;
};

export type ListedVideo = {
  readonly id: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
  readonly durationSeconds: number | null;
  readonly thumbnailUrl: string | null;
  /** Null if the listing does not say. */
  readonly isShort: boolean | null;
};

/** A video from its player. An `upcoming` one is not out yet, however old its feed entry is; a `hidden` one is private or for members. */
export type SeenVideo = ListedVideo & { readonly broadcast: Broadcast | 'hidden' };

/** One video of a feed, which does not say whether it is out yet: an upcoming one has the time of its announcement. */
export type FeedEntry = Pick<ListedVideo, 'id' | 'title' | 'publishedAt'>;

export type Feed = {
  readonly title: string | null;
  /** The channel, or the playlist's owner. */
  readonly channelId: string | null;
  readonly channelTitle: string | null;
  /** At most 15, each once, in the platform's order: newest first for a channel, the owner's order for a playlist. */
  readonly entries: readonly FeedEntry[];
  /** Unreadable entries. */
  readonly omitted: number;
};

/**
 * `missing`: the platform answered 404, which it also does on bad days for sources that exist. `failed`: nothing is known; if
 * `error.wasAsked` is false, this source was not asked about, and `error.data.retryAfterSeconds` is the wait.
 */
export type FeedResult =
  | { readonly outcome: 'read'; readonly feed: Feed }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'failed'; readonly error: PlatformError };

export type SearchQuery = {
  readonly query: string;
  readonly type: SearchType;
  /** Search inside this channel only. */
  readonly channelId: string | null;
};
