import { DAY_MS } from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import {
  type CachedSelection,
  type NegativeFact,
  REFUSAL_TTL_MS,
  sayingUntil,
} from '../../domain/transcript.ts';

export type VideoStatus = 'unknown' | 'fetched' | 'no_captions' | 'unavailable' | 'error';

/** Owners publish videos and add captions later, so even a durable fact expires after a week. */
export const FACT_TTL_MS = 7 * DAY_MS;
/** If some clients could not be asked, a missing language may appear soon. */
const INCOMPLETE_TTL_MS = 10 * 60 * 1_000;

/** The status that a failed attempt leaves on a video (specification, part 3). */
export const statusAfter = ({ code, errorClass }: ServiceErrorData): VideoStatus => {
  // The broadcast has not begun or not ended: nothing is known about its captions, whatever the error class.
  if (code === 'transcript_not_ready') return 'unknown';
  if (errorClass === 'Unavailable') return 'unavailable';
  return errorClass === 'NoCaptions' ? 'no_captions' : 'error';
};

/** The fact about the video that a failure shows, whose error says how long it is believed; null for errors of routes, which must never be stored against it. */
export const toNegativeFact = (
  error: ServiceErrorData,
  lifetime: { kind: 'durable' } | { kind: 'short_lived'; ttlSeconds: number } | { kind: 'none' },
  now: Date,
): NegativeFact | null => {
  if (lifetime.kind === 'none') return null;
  const ttlMs = lifetime.kind === 'durable' ? FACT_TTL_MS : lifetime.ttlSeconds * 1_000;
  const { retryAfterSeconds } = error;
  const expiresAt = new Date(now.getTime() + ttlMs);
  return {
    error: sayingUntil(error, expiresAt),
    expiresAt,
    retryAt: retryAfterSeconds === undefined ? null : new Date(now.getTime() + retryAfterSeconds * 1_000),
  };
};

/** What a strict failure says about one language of a video; null if nothing. */
export const selectionAfter = (
  error: ServiceErrorData,
  inspection: { available: readonly string[]; translationsComplete: boolean; lacksForSeconds: number | null },
  now: Date,
): CachedSelection | null => {
  const { lacksForSeconds } = inspection;
  const unavailable = lacksForSeconds === null ? FACT_TTL_MS : lacksForSeconds * 1_000;
  const ttls = { refused: REFUSAL_TTL_MS, unavailable };
  if (error.code !== 'translation_refused' && error.code !== 'language_unavailable') return null;
  const translation = error.code === 'translation_refused' ? 'refused' : 'unavailable';
  const isIncomplete = translation === 'unavailable' && !inspection.translationsComplete;
  const ttlMs = isIncomplete ? Math.min(INCOMPLETE_TTL_MS, ttls.unavailable) : ttls[translation];
  return {
    isFallback: true,
    translation,
    available: inspection.available,
    expiresAt: new Date(now.getTime() + ttlMs),
  };
};
