import { ServiceError, serviceError, type TranslationOutcome, type VideoDetails } from '@tds/contracts';
import type { NegativeFact } from './selection.ts';
import type { CachedTranscript, KeptFile } from './transcript.ts';

/** How a transcript relates to the language that was asked for. */
export type Choice = { readonly isFallback: boolean; readonly translation: TranslationOutcome };

/** A cached transcript as somebody gets it; without a file nobody has rendered it in the wanted format yet. */
export type Hit = {
  readonly transcript: CachedTranscript;
  readonly choice: Choice;
  readonly file: KeptFile | null;
};

/** What is known of a track: `unknown` is cold. */
export type Known =
  | { readonly kind: 'hit'; readonly hit: Hit; readonly fact: ServiceError | null }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  | { readonly kind: 'unknown'; readonly video: VideoDetails };

/** Whole seconds until then, at least one. */
const secondsUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1_000));

/** A fact about a video as an error that is told now: the wait has become shorter since it was learnt. */
export const factError = ({ error, retryAt, expiresAt }: NegativeFact, now: Date): ServiceError => {
  const again = retryAt && retryAt > now ? retryAt : expiresAt;
  if (error.retryAfterSeconds === undefined || again === null) return new ServiceError(error);
  return new ServiceError({ ...error, retryAfterSeconds: secondsUntil(again, now) });
};

type StrictFailure = {
  readonly translation: TranslationOutcome;
  readonly expiresAt: Date | null;
  readonly available: readonly string[];
};

/** Why a strict request cannot have the language (language contract of the specification). */
export const strictError = ({ translation, expiresAt, available }: StrictFailure, now: Date): ServiceError =>
  translation === 'refused'
    ? serviceError('translation_refused', { retryAfterSeconds: secondsUntil(expiresAt ?? now, now) })
    : serviceError('language_unavailable', { extras: { available_languages: available } });

/** What `known_error` makes the same errors of, in the database. */
export const strictTemplates = {
  refused: serviceError('translation_refused').data,
  unavailable: serviceError('language_unavailable', { extras: { available_languages: [] } }).data,
};
