import { type FoundVideo, LONGEST_THUMBNAIL } from '@tds/contracts';
import type { ListedRow } from '../domain/listing.ts';
import type { CachedVideos } from './cached-hints.ts';

/** One form on every route, whatever a list or a player has said. */
const publishedDay = (at: string | null): string | null => at?.slice(0, 'YYYY-MM-DD'.length) ?? null;

/** Where the platform has a picture of every video. */
const pictureOf = (id: string): string => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`;

const isShown = (url: string | null): url is string => url !== null && url.length <= LONGEST_THUMBNAIL;

/** What a caller is told of a video; of one that has a transcript, the date that this says. */
export const toFoundVideo = (row: ListedRow, cached: CachedVideos): FoundVideo => ({
  video_id: row.id,
  title: row.title,
  published_at: cached.get(row.id) ?? publishedDay(row.publishedAt),
  duration: row.durationSeconds,
  thumbnail_url: isShown(row.thumbnailUrl) ? row.thumbnailUrl : pictureOf(row.id),
  is_short: row.isShort,
  cached: cached.has(row.id),
});
