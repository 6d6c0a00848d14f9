import type { Sql } from '@tds/service-kit';
import DataLoader from 'dataloader';
import { findKnownVideos, type KnownVideo } from '../store/videos.ts';

/** Long enough to be one statement for several fetches, and shorter than any answer of the platform, beside which it runs. */
const TOGETHER_MS = 10;

export type FindKnown = (videoId: string) => Promise<KnownVideo>;

/** What the cache holds of videos that batches fetch. */
export function createFindKnown(sql: Sql): FindKnown {
  const loader = new DataLoader<string, KnownVideo>((videoIds) => findKnownVideos(sql, videoIds), {
    cache: false,
    batchScheduleFn: (begin) => setTimeout(begin, TOGETHER_MS),
  });
  return (videoId) => loader.load(videoId);
}
