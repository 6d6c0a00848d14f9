import type { ServiceErrorData, TranslationOutcome } from '@tds/contracts';

/** What a requested language leads to, as remembered in the cache. */
export type CachedSelection = {
  readonly isFallback: boolean;
  readonly translation: TranslationOutcome;
  readonly available: readonly string[];
  readonly expiresAt: Date | null;
};

/** A refused translation may succeed later, so it is only remembered this long. */
export const REFUSAL_MEMORY_MS = 60_000;

/** A remembered fact about a video that makes every fetch of it pointless for now. */
export type NegativeFact = {
  readonly error: ServiceErrorData;
  readonly expiresAt: Date | null;
  /** When it makes sense to ask again, if that is known. */
  readonly retryAt: Date | null;
};
