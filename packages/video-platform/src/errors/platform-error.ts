import {
  type ErrorCode,
  ServiceError,
  type ServiceErrorData,
  type ServiceErrorOptions,
  serviceError,
  type VideoDetails,
} from '@tds/contracts';
import type { PlatformTrack } from '../types.ts';

/** Whether the failure tells something about the video itself: for good, for a while, or not at all. */
export type Fact =
  | { readonly kind: 'durable' }
  | { readonly kind: 'short_lived'; readonly ttlSeconds: number }
  | { readonly kind: 'none' };

export const noFact: Fact = { kind: 'none' };
export const durableFact: Fact = { kind: 'durable' };
export const shortLivedFact = (ttlSeconds: number): Fact => ({ kind: 'short_lived', ttlSeconds });

type PlatformErrorDetails = {
  readonly fact: Fact;
  /** What was learnt of the video before the failure. */
  readonly video: VideoDetails | null;
  readonly tracks: readonly PlatformTrack[];
  /** False if every route was closed: the platform was never asked about the video. */
  readonly wasAsked: boolean;
};

export class PlatformError extends ServiceError {
  readonly fact: Fact;
  readonly video: VideoDetails | null;
  readonly tracks: readonly PlatformTrack[];
  readonly wasAsked: boolean;

  constructor(data: ServiceErrorData, details: PlatformErrorDetails, cause?: unknown) {
    super(data, cause);
    this.fact = details.fact;
    this.video = details.video;
    this.tracks = details.tracks;
    this.wasAsked = details.wasAsked;
  }
}

/** What a failure that was met with others means for who was not asked about: none of its facts, only the trouble and the wait. */
export const withoutAsking = ({ data, cause }: PlatformError): PlatformError =>
  new PlatformError(data, { fact: noFact, video: null, tracks: [], wasAsked: false }, cause);

type PlainCode = Exclude<ErrorCode, 'language_unavailable' | 'insufficient_credits' | 'method_not_allowed'>;
export type PlatformErrorCode = PlainCode &
  (
    | 'ip_blocked'
    | 'po_token_required'
    | 'rate_limited'
    | 'translation_refused'
    | 'video_unavailable'
    | 'no_captions'
    | 'transcript_not_ready'
    | 'budget_exhausted'
    | 'upstream_error'
    | 'source_not_found'
    | 'data_api_unit_cap'
  );

/** A failure of this package; without details it says nothing about the video. */
export const platformError = (
  code: PlatformErrorCode,
  options: ServiceErrorOptions & Partial<PlatformErrorDetails> = {},
): PlatformError => {
  const { fact = noFact, video = null, tracks = [], wasAsked = true, ...given } = options;
  // A transcript that is not ready is worth asking for again when the fact expires, unless the caller of this says when.
  const untilFactEnds = code === 'transcript_not_ready' && fact.kind === 'short_lived' && fact.ttlSeconds;
  const wait = untilFactEnds ? { retryAfterSeconds: untilFactEnds } : {};
  const { data } = serviceError<PlainCode>(code, { ...wait, ...given });
  return new PlatformError(data, { fact, video, tracks, wasAsked }, given.cause);
};

export const languageUnavailable = (
  available: readonly string[],
  details: Omit<PlatformErrorDetails, 'wasAsked'>,
): PlatformError =>
  new PlatformError(
    serviceError('language_unavailable', { extras: { available_languages: available } }).data,
    { ...details, wasAsked: true },
  );

/** True only if the failure may be stored against the video for good. */
export const isDurableVideoFact = (error: unknown): boolean =>
  error instanceof PlatformError && error.fact.kind === 'durable';

/** Seconds for which a passing fact (live, upcoming, just ended) may be remembered; null: not at all, or for good. */
export const factTtlSeconds = (error: unknown): number | null =>
  error instanceof PlatformError && error.fact.kind === 'short_lived' ? error.fact.ttlSeconds : null;

/** An error that nobody foresaw becomes `upstream_error`: no raw error leaves the package. */
export const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : platformError('upstream_error', { cause: thrown });
  }
};
