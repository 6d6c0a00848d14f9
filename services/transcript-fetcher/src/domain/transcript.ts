import type {
  CaptionKind,
  DeliveredTranscript,
  StoredFormat,
  TranscriptSelection,
  TranslationOutcome,
  VideoDetails,
} from '@tds/contracts';
import { hasCode, ServiceError, type ServiceErrorData, serviceError } from '@tds/errors';

/** How a transcript relates to the language that was asked for. */
export type Choice = { readonly isFallback: boolean; readonly translation: TranslationOutcome };

/** The cached result of a requested language. */
export type CachedSelection = Choice & {
  readonly available: readonly string[];
  readonly expiresAt: Date | null;
};

/** A refused translation may succeed later, so it is cached only briefly. */
export const REFUSAL_TTL_MS = 60_000;

/** A fact about a video that makes every fetch pointless for now. */
export type NegativeFact = {
  readonly error: ServiceErrorData;
  readonly expiresAt: Date | null;
  /** When a retry makes sense, if known. */
  readonly retryAt: Date | null;
};

/** The video's details in a transcript, without the id. */
export type VideoSnapshot = Omit<VideoDetails, 'id'>;

/** Identifies a caption track among those of all videos. */
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
  /** Details at the time of the fetch. */
  readonly video: VideoDetails;
  /** The strategy that fetched it. */
  readonly strategy: string;
};

/** A transcript rendered in one format; stored raw-deflated, `bytes`, `sha256` and `crc32` are of the file itself. */
export type KeptFile = {
  readonly format: StoredFormat;
  readonly objectKey: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: number;
};

/** A cached transcript for one request; `file` is null if it has not been rendered in the wanted format. */
export type Hit = {
  readonly transcript: CachedTranscript;
  readonly choice: Choice;
  readonly file: KeptFile | null;
};

/** The cache's answer for a track: `unknown` means cold. `isEnded`: the platform may have a better one by now. `refresh`: it is asked anyway. */
export type CacheAnswer =
  | { readonly kind: 'hit'; readonly hit: Hit; readonly fact: ServiceError | null; readonly isEnded: boolean }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  | { readonly kind: 'refresh'; readonly video: VideoDetails; readonly current: Omit<Hit, 'file'> | null }
  | { readonly kind: 'unknown'; readonly video: VideoDetails };

/** The answer for a rendered transcript. */
export const toDeliveredTranscript = (
  selection: TranscriptSelection,
  transcript: CachedTranscript,
  { isFallback, translation }: Choice,
  { objectKey, bytes, sha256 }: KeptFile,
): DeliveredTranscript => ({
  state: 'delivered',
  cache: 'HIT',
  creditsCharged: 0,
  video: transcript.video,
  language: {
    requested: selection.language,
    delivered: transcript.languageCode,
    kind: transcript.kind,
    fallback: isFallback,
    translation,
  },
  format: selection.format,
  fetchedAt: transcript.cachedAt.toISOString(),
  objectKey,
  bytes,
  sha256,
});

/** Whole seconds until then, at least one. */
const secondsUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1_000));

/** The error of a fact, with the wait that is left now. */
export const factError = ({ error, retryAt, expiresAt }: NegativeFact, now: Date): ServiceError => {
  const nextTryAt = retryAt && retryAt > now ? retryAt : expiresAt;
  if (error.retryAfterSeconds === undefined || nextTryAt === null) return new ServiceError(error);
  return new ServiceError({ ...error, retryAfterSeconds: secondsUntil(nextTryAt, now) });
};

const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

const sayingMinute = (error: ServiceErrorData, minute: string): ServiceErrorData => ({
  ...error,
  message: `${error.message} This is believed until ${minute} UTC; over HTTP, refresh=true asks the platform at once.`,
});

/** The error of a state that a look may end before that time. */
export const sayingUntil = (error: ServiceErrorData, expiresAt: Date): ServiceErrorData =>
  sayingMinute(error, expiresAt.toISOString().slice(0, MINUTE_LENGTH).replace('T', ' '));

/** The error of a strict request whose language is missing (language contract of the specification). */
export const strictError = (
  { translation, expiresAt, available }: Omit<CachedSelection, 'isFallback'>,
  now: Date,
): ServiceError => {
  if (translation === 'refused')
    return serviceError('translation_refused', { retryAfterSeconds: secondsUntil(expiresAt ?? now, now) });
  const { data } = serviceError('language_unavailable', { extras: { available_languages: available } });
  return new ServiceError(expiresAt === null ? data : sayingUntil(data, expiresAt));
};

const unavailable = serviceError('language_unavailable', { extras: { available_languages: [] } }).data;

/** Templates for the same errors in SQL (`known_error`), which puts a time for `{minute}`. */
export const strictTemplates = {
  refused: serviceError('translation_refused').data,
  unavailable,
  unavailable_until: sayingMinute(unavailable, '{minute}'),
};

/** The object store has lost its cues, or the file of another renderer. */
export const isLost = (error: unknown): error is ServiceError => hasCode(error, 'cache_object_missing');
