export type { FeedMemory } from './feed-memory.ts';
export type { LinkMemory } from './link-memory.ts';
export type { ListingMemory, RequestedPage } from './listing-memory.ts';
export type { Passages } from './passages.ts';
export type { PriceMemory } from './price-memory.ts';
export {
  assertRequested,
  isRequested,
  type ProjectedTranscript,
  renderedKey,
  type StoredTranscripts,
  type TranscriptEntry,
  type TranscriptMemory,
  toPublicFormat,
} from './transcript-memory.ts';
