import type { ListingContents } from '@tds/contracts';
import { ServiceError, type ServiceErrorData } from '@tds/errors';

type ListingState = 'open' | 'complete' | 'failed';

export type Listing = {
  readonly id: string;
  readonly playlistId: string;
  readonly contents: ListingContents;
  readonly state: ListingState;
  readonly phase: 'shorts' | 'rows';
  readonly nextToken: string | null;
  readonly rowCount: number;
  readonly pageCount: number;
  /** Entries that could not be read. */
  readonly omitted: number;
  readonly error: ServiceErrorData | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

/** One stored video of a listing. */
export type ListedRow = {
  readonly id: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
  readonly durationSeconds: number | null;
  readonly thumbnailUrl: string | null;
  readonly isShort: boolean;
};

/** Without its query, which is long and signed, the URL names the whole picture. */
export const withShortAddress = <Video extends Pick<ListedRow, 'thumbnailUrl'>>(video: Video): Video => ({
  ...video,
  thumbnailUrl: video.thumbnailUrl?.split('?', 1)[0] ?? null,
});

/** How long a final failure, such as a deleted playlist, is repeated without a request. */
const FAILURE_KEPT_MS = 60_000;

const age = (at: Date | null, now: Date): number => now.getTime() - (at?.getTime() ?? 0);

/**
 * The listing for a new walk: the newest if it is open or fresh; null if a new one must be started. Throws the error of the newest if
 * another request would fail too.
 */
export const usableListing = (newest: Listing | null, now: Date, freshMs: number): Listing | null => {
  if (newest === null) return null;
  if (newest.state === 'open') return newest;
  if (newest.state === 'complete') return age(newest.createdAt, now) < freshMs ? newest : null;
  const { error } = newest;
  if (error === null || error.retryable || age(newest.endedAt, now) >= FAILURE_KEPT_MS) return null;
  throw new ServiceError(error);
};

/** For how many more milliseconds new walks get this listing. */
export const freshMs = ({ createdAt }: Pick<Listing, 'createdAt'>, now: Date, forMs: number): number =>
  Math.max(0, forMs - age(createdAt, now));

/** Whether a page is complete: its rows, and whether more follow. */
export const hasPage = (listing: Listing, offset: number, size: number): boolean =>
  listing.state === 'complete' || listing.rowCount > offset + size;

/** Offset of the next page; null after the last, or beyond the largest offset. */
export const nextOffset = (rowCount: number, offset: number, size: number, max: number): number | null =>
  rowCount > offset + size && offset + size <= max ? offset + size : null;
