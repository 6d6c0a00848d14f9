import type { Call } from '../types.ts';

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
  /** What is known of a video, without its captions; null if it is private, deleted or does not exist. */
  lookUpVideo(videoId: string, call: Call): Promise<ListedVideo | null>;
  close(): Promise<void>;
}

/** The same questions to the platform's official interface, which counts units a day: each call here is one. */
export interface DataApi {
  listPage(playlistId: string, token: string | null, call: Call): Promise<Page<ListedVideo>>;
  /** Details of at most 50 videos; private, deleted and unknown ones are left out. */
  lookUpVideos(ids: readonly string[], call: Call): Promise<readonly ListedVideo[]>;
  close(): Promise<void>;
}
