import type { ServiceErrorData } from '@tds/contracts';
import type { CachedSelection, NegativeFact } from './selection.ts';
import { REFUSAL_MEMORY_MS } from './selection.ts';
import type { VideoStatus } from './video-facts.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Owners publish videos and add captions later: even a durable fact is looked at again after a week. */
export const FACT_MEMORY_MS = 7 * DAY_MS;
/** If not every client could be asked, a missing language may turn up in a moment. */
const INCOMPLETE_MEMORY_MS = 10 * 60 * 1_000;

/** The status that a failed attempt leaves on a video (specification, part 3). */
export const statusAfter = ({ code, errorClass }: ServiceErrorData): VideoStatus => {
  // A broadcast that has not begun or ended yet: whatever its class, nothing is known of its captions.
  if (code === 'transcript_not_ready') return 'unknown';
  if (errorClass === 'Unavailable') return 'unavailable';
  return errorClass === 'NoCaptions' ? 'no_captions' : 'error';
};

/** What a failure lets us say about the video itself: nothing for route errors, which must never stick to it. */
export const factOf = (
  error: ServiceErrorData,
  life: { kind: 'durable' } | { kind: 'short_lived'; ttlSeconds: number } | { kind: 'none' },
  now: Date,
): NegativeFact | null => {
  if (life.kind === 'none') return null;
  const lifeMs = life.kind === 'durable' ? FACT_MEMORY_MS : life.ttlSeconds * 1_000;
  const { retryAfterSeconds } = error;
  return {
    error,
    expiresAt: new Date(now.getTime() + lifeMs),
    retryAt: retryAfterSeconds === undefined ? null : new Date(now.getTime() + retryAfterSeconds * 1_000),
  };
};

/** What a strict failure tells about one language of a video; null if it tells nothing. */
export const selectionAfter = (
  error: ServiceErrorData,
  inspected: { available: readonly string[]; translationsComplete: boolean },
  now: Date,
): CachedSelection | null => {
  const remembered = { refused: REFUSAL_MEMORY_MS, unavailable: FACT_MEMORY_MS };
  if (error.code !== 'translation_refused' && error.code !== 'language_unavailable') return null;
  const translation = error.code === 'translation_refused' ? 'refused' : 'unavailable';
  const isIncomplete = translation === 'unavailable' && !inspected.translationsComplete;
  const lifeMs = isIncomplete ? INCOMPLETE_MEMORY_MS : remembered[translation];
  return {
    isFallback: true,
    translation,
    available: inspected.available,
    expiresAt: new Date(now.getTime() + lifeMs),
  };
};
