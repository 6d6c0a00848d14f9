import type { CaptionKind, StoredFormat } from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { Priority } from './operation.ts';
import type { CacheAnswer } from './transcript.ts';

type CachedTrack = {
  readonly id: string;
  readonly language_code: string;
  readonly kind: CaptionKind;
  readonly translated: boolean;
  readonly object_key: string;
};

/** A fetch that this process runs. */
export type StartedFetch = {
  readonly fetchId: string;
  /** The priority whose slots it uses. */
  readonly priority: Priority;
  /** An account that waits for it; null if none does any more. */
  readonly accountId: string | null;
  readonly videoId: string;
  readonly language: string;
  readonly fallback: boolean;
  readonly format: StoredFormat;
  /** The number of workers that died with it. */
  readonly losses: number;
  /** The cache's answer for the track by now. */
  readonly cacheAnswer: CacheAnswer;
  /** All cached tracks of the video. */
  readonly tracks: readonly CachedTrack[];
};

const ROUTE_CLASSES: ReadonlySet<string> = new Set([
  'IpBlocked',
  'RateLimited',
  'UpstreamError',
  'PoTokenRequired',
]);

/** A fault of the way to the platform, not of the video. */
export const isRouteFault = (error: ServiceErrorData | null): boolean =>
  error !== null && ROUTE_CLASSES.has(error.errorClass) && error.code !== 'translation_refused';
