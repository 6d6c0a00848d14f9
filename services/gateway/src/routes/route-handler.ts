import type { IncomingHttpHeaders } from 'node:http';
import type { Fields, KnownDevice, ParsedFields, Principal, Route, routes, SignedBody } from '@tds/contracts';
import type { ProjectedTranscript } from '../cache/stored-transcripts.ts';
import type { Deps } from '../deps.ts';
import type { AnswerTo } from './route-answer.ts';

export type CallContext = {
  readonly requestId: string;
  readonly accountId: string | null;
  readonly signal: AbortSignal;
};

type BodyOf<R extends Route> = R['signedBy'] extends string
  ? SignedBody
  : R['body'] extends Fields
    ? ParsedFields<R['body']>
    : null;

type PrincipalOf<R extends Route> = R['access'] extends 'public'
  ? null
  : R['access'] extends 'anyone'
    ? Principal | null
    : Principal;

/** What a route gets of a request that was admitted. */
export type Input<R extends Route = Route> = {
  readonly query: ParsedFields<R['query']>;
  readonly body: BodyOf<R>;
  readonly params: Readonly<Record<string, string>>;
  /** Who acts; null on public routes, and where nobody has to be known and nobody is. */
  readonly principal: PrincipalOf<R>;
  /** Null if none was sent; never on routes that take none. */
  readonly idempotencyKey: R['takesIdempotencyKey'] extends true ? string | null : null;
  /** SHA-256 of the credential that was used, null on public routes. */
  readonly credentialDigest: R['access'] extends 'public' ? null : string;
  /** What `wantedKey` named, if the cache had it. */
  readonly fetched: ProjectedTranscript | null;
  readonly requestId: string;
  readonly clientAddress: string;
  /** The browser, if it says that it has signed in before. */
  readonly device: KnownDevice | undefined;
  /** For what is about the transport alone; parameters of a route stand in its row. */
  readonly headers: Pick<
    IncomingHttpHeaders,
    'range' | 'if-range' | 'if-match' | 'if-none-match' | 'last-event-id'
  >;
  /** Asked for with HEAD: whoever wants no body starts no work. */
  readonly isHead: boolean;
  /** For commands; outlives the caller, whose leaving cancels nothing. */
  readonly callContext: CallContext;
  /** To be called after work that may have moved credits: the answer's balance is then the ledger's own. */
  balanceMayHaveMoved(): void;
  /** The request was disowned: whatever was charged for it is given back. */
  costsNothing(): void;
  /** Makes that question unnecessary: the work has said what the account can spend now. */
  balanceMovedTo(available: number): void;
};

/** Names the body that a request wants, before it is admitted. */
type WantedKey<R extends Route, D> = (deps: D, query: ParsedFields<R['query']>) => string | null;
type Handle<R extends Route, D> = (deps: D, input: Input<R>) => AnswerTo<R> | Promise<AnswerTo<R>>;

export type RouteHandler<R extends Route = Route, D = Deps> = {
  readonly row: R;
  readonly handle: Handle<R, D>;
  /** The key of a cached body that is looked for during the admission, `HELD_BODY` or `UNCOUNTED`, or null if none is wanted. */
  readonly wantedKey?: WantedKey<R, D> | undefined;
};

/** Answers a route in a way of its own; what its row describes types both what it gets and what it answers. */
export const onRoute = <R extends Route, D>(
  row: R,
  handle: Handle<R, D>,
  options: { readonly wantedKey?: WantedKey<R, NoInfer<D>> } = {},
): RouteHandler<R, D> => ({ row, handle, ...options });

type Routes = typeof routes;

/** One handler per row of the table, under its name: the compiler points at what is missing or swapped. */
export type RouteHandlers = { readonly [Name in keyof Routes]: RouteHandler<Routes[Name]> };
