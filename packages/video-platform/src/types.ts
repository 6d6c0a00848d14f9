import type { CaptionKind, TranslationOutcome, VideoDetails } from '@tds/contracts';
import type { ByteBudget } from './budget.ts';
import type { Limits } from './config/limits.ts';
import type { Strategy } from './config/strategies.ts';
import type { StrategySource } from './config/strategy-file.ts';
import type { OutcomeCounts } from './recent-outcomes.ts';

/** A source of proof-of-origin tokens, such as a sidecar. A token is bound to its video. */
export interface PoTokenProvider {
  /** Resolves to null if there will be no token: tracks that need one are then skipped. Rejects if there is none now. */
  tokenFor(request: {
    readonly videoId: string;
    readonly client: string;
    readonly exit: string;
    readonly signal: AbortSignal;
  }): Promise<string | null>;
  /** The platform refused this token: it is not given again. */
  discard(token: string, request: { readonly videoId: string; readonly exit: string }): void;
}

export const noPoTokens: PoTokenProvider = { tokenFor: async () => null, discard: () => undefined };

/** An exit to the platform: a proxy, an own source address, or this machine's usual address if neither is given. */
export type Exit = {
  readonly name: string;
  /** `{session}` in the user's name or password stands for eight random letters and digits; `rotating+` changes the address by itself. */
  readonly proxyUrl?: string;
  /** An address, or a prefix such as `2001:db8::/64` of which each session takes an address. */
  readonly sourceAddress?: string;
};

export type VideoPlatformOptions = {
  /** Scheme, host and port, such as `https://www.youtube.com`. */
  readonly origin: string;
  /** A list, or a function whose list may change while calls are under way. */
  readonly strategies?: readonly Strategy[] | StrategySource;
  readonly exits?: readonly Exit[];
  /** Bytes per UTC day that proxied exits may read; the direct exit is not counted. */
  readonly budget?: ByteBudget;
  readonly poToken?: PoTokenProvider;
  readonly limits?: Partial<Limits>;
  readonly clock?: () => Date;
  /** Called once per request to the platform. Its errors are ignored. */
  readonly onAttempt?: (attempt: AttemptRecord) => void;
  readonly onSession?: (change: SessionChange) => void;
};

export type Call = {
  readonly signal?: AbortSignal;
  /** A stable name of the caller, so that many odd videos of one caller do not count as a failing route. */
  readonly callerId?: string;
};

/** `ended_recently`: a broadcast whose recording may still gain captions. */
export type Broadcast = 'none' | 'live' | 'upcoming' | 'ended_recently';

export type PlatformTrack = {
  readonly languageCode: string;
  readonly kind: CaptionKind;
  /** The platform's display name. */
  readonly name: string;
  /** Identifies a track across clients; several tracks may share language and kind. */
  readonly vssId: string;
  /** In the platform's list: of two audios of one language even `vssId` may be the same. */
  readonly position: number;
  /** The owner gave the track a name of its own. */
  readonly isNamed: boolean;
  readonly isTranslatable: boolean;
  /** Belongs to the language spoken in the video's default audio. */
  readonly isDefaultAudio: boolean;
  /** The platform itself shows it first. */
  readonly isDefault: boolean;
};

export type VideoInspection = {
  readonly video: VideoDetails;
  readonly tracks: readonly PlatformTrack[];
  /** Of the default audio; null if the platform does not say it. */
  readonly spokenLanguage: string | null;
  /** The union of the lists of all strategies that were asked. */
  readonly translationLanguages: readonly string[];
  /** False if only one of several clients could be asked: another may list a language that is missing here. */
  readonly translationsComplete: boolean;
  readonly broadcast: Broadcast;
  /** For how long it is believed that a young video lacks something; null if it is not young. */
  readonly lacksForSeconds: number | null;
  readonly strategy: string;
  readonly exit: string;
};

export type TrackChoice = {
  readonly track: Pick<PlatformTrack, 'languageCode' | 'kind' | 'vssId' | 'position' | 'isDefaultAudio'>;
  /** The platform's code of the language to translate to; never the track's own. */
  readonly translateTo: string | null;
  /** What will be delivered: `translateTo`, else the track's own code. */
  readonly delivered: string;
  readonly isFallback: boolean;
  readonly translation: TranslationOutcome;
  /** What to deliver when the platform refuses the translation and fallback is allowed. */
  readonly fallbackChoice: TrackChoice | null;
};

/** The check of one route; `code` is null if captions came. */
export type RouteCheck = {
  readonly strategy: string;
  readonly exit: string;
  readonly code: string | null;
};

/** A session of a rotating exit began or ended. */
export type SessionChange = {
  readonly exit: string;
  readonly change: 'opened' | RetireCause;
  /** The platform had answered through it. */
  readonly isProven: boolean;
};

/**
 * Why a session ended: the platform refused its address, nothing came through it, something else answered in the platform's place
 * (`foreign`), or it was used for long enough.
 */
export type RetireCause = 'blocked' | 'unreachable' | 'foreign' | 'worn';

export type StrategyHealth = {
  readonly strategy: string;
  readonly exit: string;
  readonly state: 'closed' | 'open' | 'half_open';
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  /** Requests of the last five minutes. */
  readonly recent: OutcomeCounts;
};

export type Endpoint = 'player' | 'watch_page' | 'timedtext' | DiscoveryEndpoint;
export type DiscoveryEndpoint = 'search' | 'browse' | 'resolve_url' | 'feed' | 'data_api';

/** One request to the platform, for logs and metrics. Holds no address, token or caption text. */
export type AttemptRecord = {
  readonly at: Date;
  /** Empty if the request is not about a single video. */
  readonly videoId: string;
  readonly endpoint: Endpoint;
  readonly strategy: string;
  readonly client: string;
  readonly exit: string;
  readonly durationMs: number;
  /** Of the request and of its answer, without TLS. */
  readonly bytes: number;
  readonly httpStatus: number | null;
  /** `ok`, or the name of the classification row that applied. */
  readonly outcome: string;
  readonly code: string | null;
  readonly reason: string | null;
  readonly subreason: string | null;
  /** Odd items of the answer that were left out. */
  readonly omitted: number;
};
