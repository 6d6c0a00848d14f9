import { ServiceError, type ServiceErrorData, serviceError, type TranslationOutcome } from '@tds/contracts';

/** What a requested language leads to, as remembered in the cache. */
export type CachedSelection = {
  readonly isFallback: boolean;
  readonly translation: TranslationOutcome;
  readonly available: readonly string[];
  readonly expiresAt: Date | null;
};

/** A refused translation may succeed later, so it is only remembered this long. */
export const REFUSAL_MEMORY_MS = 60_000;

export const isCurrent = ({ expiresAt }: CachedSelection, now: Date): boolean =>
  expiresAt === null || expiresAt > now;

/**
 * Whether a remembered selection may be delivered under the caller's fallback rule (language contract of the
 * specification). Throws `translation_refused` or `language_unavailable` for strict requests that it cannot serve.
 */
export function assertDeliverable(
  selection: CachedSelection,
  wanted: { fallback: boolean },
  now: Date,
): void {
  if (wanted.fallback || !selection.isFallback) return;
  if (selection.translation === 'refused') {
    const remainingMs = (selection.expiresAt?.getTime() ?? now.getTime()) - now.getTime();
    throw serviceError('translation_refused', {
      retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1_000)),
    });
  }
  throw serviceError('language_unavailable', { extras: { available_languages: selection.available } });
}

/** A remembered fact about a video that makes every fetch of it pointless for now. */
export type NegativeFact = {
  readonly error: ServiceErrorData;
  readonly expiresAt: Date | null;
  /** When it makes sense to ask again, if that is known. */
  readonly retryAt: Date | null;
};

export const isStanding = ({ expiresAt }: NegativeFact, now: Date): boolean =>
  expiresAt === null || expiresAt > now;

/** A fact as an error that is told now: the wait has become shorter since it was learnt. */
export const standingError = ({ error, retryAt, expiresAt }: NegativeFact, now: Date): ServiceError => {
  const again = retryAt && retryAt > now ? retryAt : expiresAt;
  if (error.retryAfterSeconds === undefined || again === null) return new ServiceError(error);
  const retryAfterSeconds = Math.max(1, Math.ceil((again.getTime() - now.getTime()) / 1_000));
  return new ServiceError({ ...error, retryAfterSeconds });
};
