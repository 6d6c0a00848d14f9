import { ServiceError, type ServiceErrorData } from '@tds/contracts';

export type ListingState = 'open' | 'complete' | 'failed';

export type Listing = {
  readonly id: string;
  readonly playlistId: string;
  readonly contents: 'all' | 'videos' | 'shorts';
  readonly state: ListingState;
  readonly phase: 'shorts' | 'rows';
  readonly nextToken: string | null;
  readonly rowCount: number;
  readonly pageCount: number;
  readonly error: ServiceErrorData | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

/** One video of a listing as it is kept. */
export type ListedRow = {
  readonly id: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
  readonly durationSeconds: number | null;
  readonly thumbnailUrl: string | null;
  readonly isShort: boolean;
};

/** How long a definite failure, such as a playlist that is gone, is told again without asking the platform. */
const FAILURE_KEPT_MS = 60_000;

const age = (at: Date | null, now: Date): number => now.getTime() - (at?.getTime() ?? 0);

/**
 * The listing that a new walk is given: the newest, where it is being made or fresh. Null: one has to be begun. Throws
 * what the newest has failed with, where asking again at once would help nobody.
 */
export const usableListing = (newest: Listing | null, now: Date, freshMs: number): Listing | null => {
  if (newest === null) return null;
  if (newest.state === 'open') return newest;
  if (newest.state === 'complete') return age(newest.createdAt, now) < freshMs ? newest : null;
  const { error } = newest;
  if (error === null || error.retryable || age(newest.endedAt, now) >= FAILURE_KEPT_MS) return null;
  throw new ServiceError(error);
};

/** For how many more milliseconds new walks are given this listing. */
export const freshMs = ({ createdAt }: Pick<Listing, 'createdAt'>, now: Date, forMs: number): number =>
  Math.max(0, forMs - age(createdAt, now));

/** Whether all that a page shows is there: its rows, and whether there are more. */
export const hasPage = (listing: Listing, offset: number, size: number): boolean =>
  listing.state === 'complete' || listing.rowCount > offset + size;

/** Where the page after begins; null on the last, and where no offset leads further. */
export const nextOffset = (rowCount: number, offset: number, size: number, most: number): number | null =>
  rowCount > offset + size && offset + size <= most ? offset + size : null;
