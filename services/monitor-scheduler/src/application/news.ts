import type { PlatformError } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import type { Source, Walk } from '../domain/source.ts';
import type { DueFeed } from '../store/feeds.ts';
import type { Entry } from '../store/videos.ts';

/** All newest first. */
export type News = {
  readonly fresh: readonly Entry[];
  /** Never seen, and no news. */
  readonly old: readonly Entry[];
  /** Of a gap that is not filled yet: what it is shows when it is. */
  readonly held: readonly Entry[];
  readonly walk: Walk;
  /** Why this is not all that there is to find. */
  readonly failure: PlatformError | null;
};

export type Parts = Pick<Deps, 'db' | 'platform'>;
export type Looked = {
  readonly feed: DueFeed;
  readonly source: Source;
  /** What its feed shows, and what of that was seen before. */
  readonly entries: readonly Entry[];
  readonly known: ReadonlySet<string>;
};
