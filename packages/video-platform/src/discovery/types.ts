import type { PlatformError } from '../errors/platform-error.ts';
import type { Broadcast, Call } from '../types.ts';

export const searchTypes = ['video', 'channel', 'playlist'] as const;
export type SearchType = (typeof searchTypes)[number];

/** One result of a search. What the platform did not say is null. */
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

/** `next` is the platform's token of the page after; null on the last. `omitted` counts what could not be read. */
export type Page<Item> = {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly omitted: number;
};

/** One video of a listing. */
export type ListedVideo = {
  readonly id: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
  readonly durationSeconds: number | null;
  readonly thumbnailUrl: string | null;
  /** What the listing itself says; null if it says nothing. */
  readonly isShort: boolean | null;
};

/** A video that a player was asked about. `upcoming` is not out yet, however old the feed says it is. */
export type SeenVideo = ListedVideo & { readonly broadcast: Broadcast };

/** One video of a feed. The feed does not say whether it is out yet. */
export type FeedEntry = {
  readonly id: string;
  readonly title: string | null;
  /** For an upcoming video when it was announced. */
  readonly publishedAt: string | null;
  /** Moves with the counts of views and likes: says nothing of newness. */
  readonly updatedAt: string | null;
  readonly isShort: boolean | null;
  /** In a playlist it may be another than the playlist's own. */
  readonly channelId: string | null;
  readonly channelTitle: string | null;
};

export type Feed = {
  /** Of the channel or of the playlist. */
  readonly title: string | null;
  /** The channel, or the playlist's owner. */
  readonly channelId: string | null;
  readonly channelTitle: string | null;
  /** The newest 15 at most, each once, in the platform's order: a channel's newest first, a playlist's as its owner sorts it. */
  readonly entries: readonly FeedEntry[];
  /** Entries that could not be read. */
  readonly omitted: number;
};

/**
 * `missing`: the platform says 404, which on its bad days it says of sources that exist. `failed`: nothing is known; where
 * `error.wasAsked` is false nobody was asked about this source, and `error.data.retryAfterSeconds` says when to try again.
 */
export type FeedRead =
  | { readonly outcome: 'read'; readonly feed: Feed }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'failed'; readonly error: PlatformError };

export type SearchAsked = {
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
  /** One page of a search; `token` is the `next` of the page before. */
  search(asked: SearchAsked, token: string | null, call: Call): Promise<Page<SearchItem>>;
  /** One page of a playlist, uploads lists included. Unavailable videos are left out, so only `next` tells the end. */
  listPage(playlistId: string, token: string | null, call: Call): Promise<Page<ListedVideo>>;
  /**
   * What is known of a video, without its captions; null if it is private, deleted or does not exist. One request of the player:
   * the cheapest way to learn that an upcoming video is out, since its `broadcast` is no longer `upcoming`.
   */
  lookUpVideo(videoId: string, call: Call): Promise<SeenVideo | null>;
  /**
   * The Atom feed of a channel (`UC...`) or of a playlist. Never throws. `listPage` of the uploads list (`UU` and the channel's id
   * without `UC`; a playlist by its own id) says whether a 404 is true (`source_not_found`) and has what more than 15 new videos
   * pushed out of the feed.
   */
  readFeed(sourceId: string, call: Call): Promise<FeedRead>;
  close(): Promise<void>;
}

/** The same questions to the platform's official interface, which counts units a day: each call here is one. */
export interface DataApi {
  listPage(playlistId: string, token: string | null, call: Call): Promise<Page<ListedVideo>>;
  /** Details of at most 50 videos; private, deleted and unknown ones are left out. */
  lookUpVideos(ids: readonly string[], call: Call): Promise<readonly ListedVideo[]>;
  close(): Promise<void>;
}
