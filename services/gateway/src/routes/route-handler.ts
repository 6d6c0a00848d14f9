import type { Fields, KnownDevice, ParsedFields, Principal, Route, routeTable } from '@tds/contracts';
import type { ProjectedTranscript } from '../cache/stored-transcripts.ts';
import type { Answer } from '../http/answer.ts';

type CallContext = {
  readonly requestId: string;
  readonly accountId: string | null;
  readonly signal: AbortSignal;
};

/** What a route gets of a request that was let in. */
export type Input<R extends Route = Route> = {
  readonly query: ParsedFields<R['query']>;
  readonly body: R['body'] extends Fields ? ParsedFields<R['body']> : null;
  readonly params: Readonly<Record<string, string>>;
  /** Who acts; null on public routes. */
  readonly principal: R['access'] extends 'public' ? null : Principal;
  /** Null where none was sent; never on routes that take none. */
  readonly idempotencyKey: R['takesIdempotencyKey'] extends true ? string | null : null;
  /** SHA-256 of the credential that was used, null on public routes. */
  readonly credentialDigest: R['access'] extends 'public' ? null : string;
  /** What `wantedKey` named, where the cache had it. */
  readonly fetched: ProjectedTranscript | null;
  readonly requestId: string;
  readonly clientAddress: string;
  /** The browser, where it says that it has signed in before. */
  readonly device: KnownDevice | undefined;
  /** Asked for with HEAD: whoever wants no body starts no work. */
  readonly isHead: boolean;
  /** For commands; outlives the caller, whose leaving cancels nothing. */
  readonly callContext: CallContext;
  /** To be called after work that may have moved credits: the answer's balance is then the ledger's own. */
  balanceMayHaveMoved(): void;
  /** Spares that look: the work has told what the account can spend now. */
  balanceMovedTo(available: number): void;
};

export type RouteHandler<R extends Route = Route> = {
  /** The key of a cached body that is looked for during the admission, `HELD_BODY`, or null where none is wanted. */
  wantedKey?(query: ParsedFields<R['query']>): string | null;
  handle(input: Input<R>): Answer | Promise<Answer>;
};

type Table = (typeof routeTable)[number];

/** One handler per row of the table: the compiler names what is missing. */
export type RouteHandlers = { readonly [R in Table as R['id']]: RouteHandler<R> };
