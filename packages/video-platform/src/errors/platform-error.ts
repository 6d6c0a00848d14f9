import type { VideoDetails } from '@tds/contracts';
import {
  type ErrorCode,
  ServiceError,
  type ServiceErrorData,
  type ServiceErrorOptions,
  serviceError,
} from '@tds/errors';
import type { PlatformTrack } from '../types.ts';

/** What the failure says about the video itself: a lasting fact, a passing one, or nothing. */
export type Fact =
  | { readonly kind: 'durable' }
  | { readonly kind: 'short_lived'; readonly ttlSeconds: number }
  | { readonly kind: 'none' };

export const noFact: Fact = { kind: 'none' };
export const durableFact: Fact = { kind: 'durable' };
export const shortLivedFact = (ttlSeconds: number): Fact => ({ kind: 'short_lived', ttlSeconds });

type PlatformErrorDetails = {
  readonly fact: Fact;
  /** What the platform said of the video before the failure. */
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

/** The same failure for a video that was not asked about: without facts, only the trouble and the wait. */
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
  const { fact = noFact, video = null, tracks = [], wasAsked = true, ...errorOptions } = options;
  // What passes is worth another request when the fact expires, unless the caller gives a wait.
  const wait = fact.kind === 'short_lived' ? { retryAfterSeconds: fact.ttlSeconds } : {};
  const { data } = serviceError<PlainCode>(code, { ...wait, ...errorOptions });
  return new PlatformError(data, { fact, video, tracks, wasAsked }, errorOptions.cause);
};

export const languageUnavailable = (
  available: readonly string[],
  details: Omit<PlatformErrorDetails, 'wasAsked'>,
): PlatformError =>
  new PlatformError(serviceError('language_unavailable', { extras: { available_languages: available } }).data, {
    ...details,
    wasAsked: true,
  });

/** Turns an unexpected error into `upstream_error`: no raw error leaves the package. */
export const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : platformError('upstream_error', { cause: thrown });
  }
};
