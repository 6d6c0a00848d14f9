import { z } from 'zod';

/** Which of its lists a channel is taken by. */
export const listingContents = z.enum(['all', 'videos', 'shorts', 'streams']).meta({ id: 'ListingContents' });
export type ListingContents = z.infer<typeof listingContents>;
