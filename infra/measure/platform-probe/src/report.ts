import type { ExitCheck } from '@tds/video-platform';

/** `session`: an exit with another address for each session. */
export type AddressKind = 'direct' | 'source' | 'proxy' | 'session';

export type RequestReport = {
  readonly status: number | null;
  /** Of the last request. */
  readonly ms: number;
  /** Of all requests, on the wire. */
  readonly bytes: number;
  readonly requests: number;
  /** `ok`, or the name of the classification row. */
  readonly outcome: string;
  readonly reason: string | null;
};

/** One strategy through one exit. */
export type PairReport = {
  readonly exit: string;
  readonly address: AddressKind;
  readonly strategy: string;
  readonly video: string;
  /** Null if captions came. */
  readonly code: string | null;
  readonly player: RequestReport | null;
  /** Null if no player answered. */
  readonly tracks: number | null;
  readonly captions: RequestReport | null;
  /** Captions that asked for a token. */
  readonly isGated: boolean;
  readonly usedToken: boolean;
};

export type FindingKind = 'feed' | 'listing' | 'search';

/** A list of the platform through one exit; `code` is null if it was read. */
export type FindingReport = {
  readonly exit: string;
  readonly kind: FindingKind;
  readonly code: string | null;
  readonly items: number;
};

export type ExitReport = ExitCheck & { readonly exit: string; readonly address: AddressKind };

export type ProbeReport = {
  readonly origin: string;
  readonly exits: readonly ExitReport[];
  readonly pairs: readonly PairReport[];
  readonly findings: readonly FindingReport[];
  /** Strategies that are not asked, because they need a token and there is no provider. */
  readonly skipped: readonly string[];
  /** `none`: no provider is configured. */
  readonly tokenProvider: { readonly state: 'none' | 'silent' | 'answers'; readonly version: string | null };
};

export const delivers = ({ pairs }: ProbeReport): boolean => pairs.some(({ code }) => code === null);
