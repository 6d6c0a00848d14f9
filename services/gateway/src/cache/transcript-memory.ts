import type { TranscriptSelection } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import { memoize } from '../memoize.ts';
import { assertWhatWasAskedFor } from './asked-for.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

const MEMORY_BYTES = 64 * 1024 * 1024;
/** A transcript may be fetched anew, with captions that the platform has changed. */
const KEPT_MS = 10 * 60_000;
const ENTRY_OVERHEAD_BYTES = 2_048;

/** Transcripts that were read lately, bounded by their bytes. */
export type TranscriptMemory = {
  get(selection: TranscriptSelection): TranscriptEntry | undefined;
  /** Throws if the transcript says that it is another one: nothing is kept under a name that is not its own. */
  keep(selection: TranscriptSelection, entry: TranscriptEntry): void;
};

const keyOf = memoize(
  ({ videoId, language, fallback, format }: TranscriptSelection) =>
    `${videoId}:${language}:${fallback}:${format}`,
);

export const createTranscriptMemory = (maxBytes = MEMORY_BYTES): TranscriptMemory => {
  const entries = new LRUCache<string, TranscriptEntry>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 8),
    // The wrapper comes when first asked for; it takes cues as they are, and text with up to two bytes for one. What is
    // compressed of both, in two encodings, takes about as much as the file.
    sizeCalculation: ({ raw, head }) => (head.format === 'json' ? 3 : 4) * raw.length + ENTRY_OVERHEAD_BYTES,
    ttl: KEPT_MS,
  });
  return {
    get: (selection) => entries.get(keyOf(selection)),
    keep(selection, entry) {
      assertWhatWasAskedFor(entry.head, selection);
      // A refused translation may succeed later (specification, part 4): the next reader asks anew.
      if (entry.head.language.translation !== 'refused') entries.set(keyOf(selection), entry);
    },
  };
};
