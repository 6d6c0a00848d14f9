import {
  type CaptionKind,
  ServiceError,
  type ServiceErrorData,
  serviceError,
  type TranscriptFormat,
  type TranslationOutcome,
  type VideoDetails,
} from '@tds/contracts';

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

/** What a transcript says of its video; the id stands beside it. */
export type VideoSnapshot = Omit<VideoDetails, 'id'>;

/** What tells one caption track of all videos from the others. */
export type TrackIdentity = {
  readonly videoId: string;
  readonly languageCode: string;
  readonly kind: CaptionKind;
  readonly translated: boolean;
};

/** A cached caption track; its cues lie in the object store under `cuesKey`. */
export type CachedTranscript = Omit<TrackIdentity, 'translated'> & {
  readonly id: string;
  readonly cuesKey: string;
  readonly cachedAt: Date;
  /** As it was when the track was fetched. */
  readonly video: VideoDetails;
  /** What brought it from the platform. */
  readonly strategy: string;
};

/** A transcript rendered in one format; stored raw-deflated, `bytes`, `sha256` and `crc32` are of the file itself. */
export type KeptFile = {
  readonly format: TranscriptFormat;
  readonly objectKey: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: number;
};

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
