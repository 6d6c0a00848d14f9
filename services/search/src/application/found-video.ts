import { type FoundVideo, LONGEST_THUMBNAIL } from '@tds/contracts';
import type { ListedRow } from '../domain/listing.ts';

/** What a caller is told of a video. */
export const toFoundVideo = (row: ListedRow, cached: ReadonlySet<string>): FoundVideo => ({
  video_id: row.id,
  title: row.title,
  published_at: row.publishedAt,
  duration: row.durationSeconds,
  thumbnail_url: (row.thumbnailUrl?.length ?? 0) > LONGEST_THUMBNAIL ? null : row.thumbnailUrl,
  is_short: row.isShort,
  cached: cached.has(row.id),
});
