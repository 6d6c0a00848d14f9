import type { PlatformError } from '../errors/platform-error.ts';
import type { Broadcast, Call } from '../types.ts';

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

/** One video of a feed, which does not say whether it is out yet. */
export type FeedEntry = {
  readonly id: string;
  readonly title: string | null;
  /** For an upcoming video, the time of its announcement. */
  readonly publishedAt: string | null;
  /** Changes with views and likes, so it does not indicate newness. */
  readonly updatedAt: string | null;
  readonly isShort: boolean | null;
  /** In a playlist, not necessarily the owner of the playlist. */
  readonly channelId: string | null;
  readonly channelTitle: string | null;
};

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

/** Finds videos: channels by name, listings, searches. Every failure is a PlatformError. */
export interface Discovery {
  /**
   * The id of the channel behind a handle or the path of an older address (`@name`, `c/Name`, `user/name`, `Name`).
   * Throws `source_not_found` if no channel has it.
   */
  resolveChannel(name: string, call: Call): Promise<string>;
  /** One page of a search; `token` is the `next` of the previous page. */
  search(searchQuery: SearchQuery, token: string | null, call: Call): Promise<Page<SearchItem>>;
  /** One page of a playlist or uploads list. Leaves out unavailable videos, so only `next` marks the end. */
  listPage(playlistId: string, token: string | null, call: Call): Promise<Page<ListedVideo>>;
  /**
   * The details of a video without its captions; null if it is private, deleted or does not exist. The cheapest way to learn that an
   * upcoming video is out: one request of the player.
   */
  lookUpVideo(videoId: string, call: Call): Promise<SeenVideo | null>;
  /**
   * The Atom feed of a channel (`UC...`) or of a playlist. Never throws. To verify a 404, and for videos that left the feed, use
   * `listPage` of the uploads list (`UU` and the channel's id without `UC`) or of the playlist.
   */
  readFeed(sourceId: string, call: Call): Promise<FeedResult>;
  close(): Promise<void>;
}

/** The platform's official interface. Each call costs one unit of a daily quota. */
export interface DataApi {
  listPage(playlistId: string, token: string | null, call: Call): Promise<Page<ListedVideo>>;
  /** Details of at most 50 videos, without private, deleted and unknown ones. */
  lookUpVideos(ids: readonly string[], call: Call): Promise<readonly ListedVideo[]>;
  close(): Promise<void>;
}
