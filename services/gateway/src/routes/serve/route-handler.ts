import type { IncomingHttpHeaders } from 'node:http';
import type { KnownDevice, Principal } from '@tds/contracts';
import type { Fields, ParsedFields, ParsedParams, Route, SignedBody } from '@tds/http-api';
import type { RequestUse } from '../../admission/index.ts';
import type { ProjectedTranscript } from '../../cache/index.ts';
import type { Exchange } from '../../wire/index.ts';
import type { AnswerTo } from './route-answer.ts';
import type { RouteDeps } from './route-deps.ts';

export type CallContext = {
  readonly requestId: string;
  readonly accountId: string | null;
  readonly signal: AbortSignal;
};

export type BodyOf<R extends Route> = R['signedBy'] extends string
  ? SignedBody
  : R['body'] extends Fields
    ? ParsedFields<R['body']>
    : null;

type PrincipalOf<R extends Route> = R['access'] extends 'public'
  ? null
  : R['access'] extends 'anyone'
    ? Principal | null
    : Principal;

/** What a request of another row in the place of this one has of its own. */
export type OtherRowInput = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Record<string, unknown>;
  readonly body: Record<string, unknown> | null;
  readonly idempotencyKey: string | null;
};

/** What a handler gets of an admitted request. */
export type Input<R extends Route = Route> = {
  readonly query: ParsedFields<R['query']>;
  readonly body: BodyOf<R>;
  readonly params: ParsedParams<R['params']>;
  /** Null on public routes, and on routes for anyone without a credential. */
  readonly principal: PrincipalOf<R>;
  /** Null if none was sent, and on routes that take none. */
  readonly idempotencyKey: R['takesIdempotencyKey'] extends string ? string | null : null;
  /** SHA-256 of the credential; null on public routes. */
  readonly credentialDigest: R['access'] extends 'public' ? null : string;
  /** The cached transcript that `wants` named, if there is one. */
  readonly transcript: ProjectedTranscript | null;
  readonly requestId: string;
  readonly clientAddress: string;
  /** The browser, if it has signed in before. */
  readonly device: KnownDevice | undefined;
  /** For transport concerns only; a route's parameters are in its row. */
  readonly headers: Pick<
    IncomingHttpHeaders,
    'accept' | 'range' | 'if-range' | 'if-match' | 'if-none-match' | 'last-event-id' | 'origin' | 'cookie'
  > &
    Readonly<Record<`mcp-${string}`, string | string[] | undefined>>;
  /** A HEAD request, which must start no work. */
  readonly isHead: boolean;
  /** The input of another row's handler for the same caller, in the place of this one's. */
  asOtherRow(values: OtherRowInput): object;
  /** For commands. A caller that leaves cancels nothing. */
  readonly callContext: CallContext;
  /**
   * What the answer and the log of requests show. `hasMovedBalance` is set before work that may move credits: the answer then shows the
   * ledger's balance, or `newBalance`.
   */
  readonly exchange: Pick<Exchange, 'isWaived' | 'subject' | 'isUnderWay' | 'hasMovedBalance' | 'newBalance'>;
};

/** Says what a request wants, before it is admitted. */
type Wants<R extends Route, D> = (deps: D, query: ParsedFields<R['query']>) => RequestUse;
type Handle<R extends Route, D> = (deps: D, input: Input<R>) => AnswerTo<R> | Promise<AnswerTo<R>>;

export type RouteHandler<R extends Route = Route, D = RouteDeps> = {
  readonly row: R;
  readonly handle: Handle<R, D>;
  readonly wants?: Wants<R, D> | undefined;
};

/** A route with its own logic. Its row types its input and its answers. */
export const onRoute = <R extends Route, D = RouteDeps>(
  row: R,
  handle: Handle<R, D>,
  options: { readonly wants?: Wants<R, NoInfer<D>> } = {},
): RouteHandler<R, D> => ({ row, handle, ...options });
