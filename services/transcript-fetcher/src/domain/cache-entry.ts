import {
  ServiceError,
  type ServiceErrorData,
  type TranslationOutcome,
  type VideoDetails,
} from '@tds/contracts';
import {
  assertDeliverable,
  type CachedSelection,
  isCurrent,
  isStanding,
  type NegativeFact,
  standingError,
} from './selection.ts';
import type { CachedTranscript, RenderedFile } from './transcript.ts';

/** What the cache knows about one selection. */
export type CacheEntry = {
  /** As the transcript says it; without one, what is known now. */
  readonly video: VideoDetails;
  readonly fact: NegativeFact | null;
  readonly selection: CachedSelection | null;
  readonly transcript: CachedTranscript | null;
  readonly rendered: RenderedFile | null;
};

/** A transcript as somebody gets it; its file has still to be rendered if nobody has. */
export type Hit = {
  readonly transcript: CachedTranscript;
  readonly choice: { readonly isFallback: boolean; readonly translation: TranslationOutcome };
  readonly rendered: RenderedFile | null;
};

export type CacheAnswer =
  | { readonly kind: 'hit'; readonly hit: Hit }
  | { readonly kind: 'failed'; readonly error: ServiceErrorData }
  | { readonly kind: 'unknown' };

/** A transcript comes before a fact about the video; what a strict caller cannot get has failed. */
export function answerOf(entry: CacheEntry, wanted: { fallback: boolean }, now: Date): CacheAnswer {
  const { selection, transcript, rendered, fact } = entry;
  try {
    if (selection && isCurrent(selection, now)) {
      assertDeliverable(selection, wanted, now);
      const { isFallback, translation } = selection;
      if (transcript)
        return { kind: 'hit', hit: { transcript, choice: { isFallback, translation }, rendered } };
    }
    if (fact && isStanding(fact, now)) throw standingError(fact, now);
    return { kind: 'unknown' };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'failed', error: error.data };
    throw error;
  }
}
