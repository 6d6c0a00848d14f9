import { pick } from '@tds/base';
import type { VideoDetails } from '@tds/contracts';
import type { ErrorClass } from '@tds/errors';
import {
  durableFact,
  type Fact,
  noFact,
  type PlatformErrorCode,
  shortLivedFact,
} from '../errors/platform-error.ts';
import type { Broadcast, RetireCause } from '../types.ts';
import { believedFor, passingStates } from './passing-states.ts';

/**
 * The meaning of an answer: `about` says who is at fault, `settles` which witnesses a conclusion takes. `if_confirmed`: details of the
 * video beside it, or a client of another family.
 */
export type Meaning = {
  readonly code: PlatformErrorCode;
  /** If it differs from the code's own. */
  readonly errorClass?: ErrorClass;
  /** Instead of the code's own text. */
  readonly message?: string;
  /**
   * `route`: counts against the strategy's health. `video`: a statement about the video. `answer`: neither.
   * `route_or_video`: unreadable; it counts against the strategy once videos of different callers show it.
   * `track`: a failure of the service, but not of the route for other tracks.
   */
  readonly about: 'route' | 'route_or_video' | 'video' | 'track' | 'answer';
  readonly settles: 'at_once' | 'if_confirmed' | 'by_two_clients' | 'after_all_exits' | 'never';
  /** What may be stored once it is concluded. */
  readonly fact: Fact;
  /** The bounds of `fact`, which grows with the age of the video. */
  readonly passes?: Parameters<typeof believedFor>[0];
  /** Another address may be served: a session that gets this answer ends, and for `foreign` only if it has no better record. */
  readonly endsSession?: Exclude<RetireCause, 'worn'>;
};

const route = (
  code: PlatformErrorCode,
  about: Meaning['about'] = 'route',
  endsSession: Meaning['endsSession'] = undefined,
): Meaning => ({ code, about, settles: 'never', fact: noFact, ...(endsSession && { endsSession }) });
const unavailable = (settles: Meaning['settles']): Meaning => ({
  code: 'video_unavailable',
  about: 'video',
  settles,
  fact: durableFact,
});

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

/** The answer about a video whose captions may still come. */
const notReady = (state: keyof typeof passingStates): Meaning => ({
  ...pick(passingStates[state], 'errorClass', 'message'),
  code: 'transcript_not_ready',
  about: 'video',
  settles: 'at_once',
  fact: believedFor(passingStates[state], null),
  passes: passingStates[state],
});

/** The vocabulary of the classification tables. */
export const meanings = {
  blocked: route('ip_blocked', 'route', 'blocked'),
  slowDown: route('rate_limited', 'route', 'blocked'),
  /** Our own pace: the address may not ask yet. */
  paced: { code: 'rate_limited', about: 'answer', settles: 'never', fact: noFact },
  /** Captions without a mark came empty. */
  emptied: route('po_token_required'),
  /** Marked captions without a token that the platform takes. */
  tokenNeeded: route('po_token_required', 'track'),
  /** The provider gives no token now. */
  tokenFailed: {
    ...route('upstream_error', 'track'),
    message: 'The source of tokens for this track does not answer. Retry with backoff.',
  },
  /** The Data API's daily units of a key. */
  quotaSpent: route('data_api_unit_cap'),
  consent: route('upstream_error', 'route', 'blocked'),
  unreachable: route('upstream_error', 'route', 'unreachable'),
  broken: route('upstream_error', 'route_or_video'),
  /** Not the platform's own words about the video: those of a portal, a filter or a gateway, or a bare 403. */
  foreign: route('upstream_error', 'route_or_video', 'foreign'),
  /** Odd, perhaps because of this video: does not count against a strategy. */
  odd: { code: 'upstream_error', about: 'answer', settles: 'never', fact: noFact },
  /** A refusal that names neither the video nor its own reason: another address may be served. */
  unclear: { code: 'upstream_error', about: 'answer', settles: 'never', fact: noFact },
  /** A track without a word. */
  wordless: { code: 'no_captions', about: 'answer', settles: 'never', fact: shortLivedFact(HOUR_S) },
  translationRefused: { code: 'translation_refused', about: 'answer', settles: 'never', fact: noFact },
  /** The channel or playlist does not exist or is not public. */
  sourceGone: { code: 'source_not_found', about: 'video', settles: 'at_once', fact: noFact },
  /** The platform refuses this client, exit or page, whatever the video. */
  clientRefused: route('upstream_error'),
  gone: unavailable('if_confirmed'),
  /** For its owner or members: it may be published later. */
  hidden: unavailable('if_confirmed'),
  goneIfAgreed: unavailable('by_two_clients'),
  notHere: { ...unavailable('after_all_exits'), fact: shortLivedFact(DAY_S) },
  upcoming: notReady('upcoming'),
  membersFirst: notReady('membersFirst'),
  offline: notReady('offline'),
  ended: notReady('ended'),
  processing: notReady('processing'),
  liveWithoutCaptions: notReady('live'),
  endedWithoutCaptions: notReady('endedWithoutCaptions'),
  youngWithoutCaptions: notReady('young'),
} as const satisfies Record<string, Meaning>;

/** An unsuccessful answer, with the details an operator needs. */
export type Refusal = {
  /** Name of the classification row. */
  readonly row: string;
  readonly meaning: Meaning;
  readonly reason: string | null;
  readonly subreason: string | null;
  readonly retryAfterSeconds: number | null;
  /** Null if the answer has no details of the video. */
  readonly video: VideoDetails | null;
  readonly broadcast: Broadcast;
  /** Of the video, as `PlayerAnswer` has it. */
  readonly ageSeconds: number | null;
  readonly cause: unknown;
};

export const refusal = (row: string, meaning: Meaning, details: Partial<Refusal> = {}): Refusal => ({
  reason: null,
  subreason: null,
  retryAfterSeconds: null,
  video: null,
  broadcast: 'none',
  ageSeconds: null,
  cause: undefined,
  ...details,
  row,
  meaning,
});

export const blamesRoute = ({ meaning }: Refusal): boolean =>
  meaning.about === 'route' || meaning.about === 'route_or_video';

export const broken = (row: string, details: Partial<Refusal> = {}): Refusal =>
  refusal(row, meanings.broken, details);

/** Readers of bodies throw it; the attempt records it. */
export class RefusedAnswer extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.row);
    this.refusal = refusal;
  }
}

/** The outcome of one request to the platform. */
export type Attempt<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The caller or the call's deadline ended it: not a failure of the route. */
  | { readonly kind: 'cancelled' };
