import type { IncomingHttpHeaders } from 'node:http';
import type { Command, KnownDevice, Principal, ReplyOf, RequestOf } from '@tds/contracts';
import type { Fields, ParsedFields, Route, routes, SignedBody } from '@tds/http-api';
import type { RequestUse } from '../admission/redis-admission.ts';
import type { ProjectedTranscript } from '../cache/transcript-memory.ts';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import type { Surface } from '../surface.ts';
import { type AnswerTo, answersOf, type BodyAt, type HeadersAt } from './route-answer.ts';

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

/** What a request of another row in the place of this one has of its own. */
export type OtherRead = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly body: Record<string, unknown> | null;
  readonly idempotencyKey: string | null;
};

/** What a handler gets of an admitted request. */
export type Input<R extends Route = Route> = {
  readonly query: ParsedFields<R['query']>;
  readonly body: BodyOf<R>;
  readonly params: Readonly<Record<string, string>>;
  /** Null on public routes, and on routes for anyone without a credential. */
  readonly principal: PrincipalOf<R>;
  /** Null if none was sent, and on routes that take none. */
  readonly idempotencyKey: R['takesIdempotencyKey'] extends string ? string | null : null;
  /** SHA-256 of the credential; null on public routes. */
  readonly credentialDigest: R['access'] extends 'public' ? null : string;
  /** The cached transcript that `wants` named, if there is one. */
  readonly fetched: ProjectedTranscript | null;
  readonly requestId: string;
  readonly clientAddress: string;
  /** The browser, if it has signed in before. */
  readonly device: KnownDevice | undefined;
  /** For transport concerns only; a route's parameters are in its row. */
  readonly headers: Pick<
    IncomingHttpHeaders,
    'range' | 'if-range' | 'if-match' | 'if-none-match' | 'last-event-id' | 'origin'
  > &
    Readonly<Record<`mcp-${string}`, string | string[] | undefined>>;
  /** A HEAD request, which must start no work. */
  readonly isHead: boolean;
  /** The input of another row's handler for the same caller, in the place of this one's. */
  asOtherRow(read: OtherRead): object;
  /** Whether the charge of the request is refunded. */
  readonly isDisowned: boolean;
  /** For commands. A caller that leaves cancels nothing. */
  readonly callContext: CallContext;
  /** Call it before work that may move credits: the answer then shows the ledger's balance. */
  balanceMayHaveMoved(): void;
  /** Call it when the request was disowned: its charge is refunded. */
  costsNothing(): void;
  /** Call it if the work returned the balance, so that the ledger is not asked. */
  balanceMovedTo(available: number): void;
};

/** Says what a request wants, before it is admitted. */
type Wants<R extends Route, D> = (deps: D, query: ParsedFields<R['query']>) => RequestUse;
type Handle<R extends Route, D> = (deps: D, input: Input<R>) => AnswerTo<R> | Promise<AnswerTo<R>>;

export type RouteHandler<R extends Route = Route, D = Deps> = {
  readonly row: R;
  readonly handle: Handle<R, D>;
  readonly wants?: Wants<R, D> | undefined;
};

/** A route with its own logic. Its row types its input and its answers. */
export const onRoute = <R extends Route, D>(
  row: R,
  handle: Handle<R, D>,
  options: { readonly wants?: Wants<R, NoInfer<D>> } = {},
): RouteHandler<R, D> => ({ row, handle, ...options });

type Routes = typeof routes;

/** One handler per row, under the row's name; the compiler reports missing or swapped ones. */
export type RouteHandlers = { readonly [Name in keyof Routes]: RouteHandler<Routes[Name]> };

type CallDeps = Pick<Deps, 'call' | 'config'>;

/** A row that calls one command. */
type CallingRoute = Route & { readonly calls: readonly [Command] };
type Reply<R extends CallingRoute> = ReplyOf<R['calls'][0]>;

/** The command's reply is the body that the row describes. */
type IsOneShape<R extends CallingRoute> = [Reply<R>, keyof Reply<R>] extends [BodyAt<R>, keyof BodyAt<R>]
  ? true
  : false;

type RenderBody<R extends CallingRoute> = (reply: Reply<R>, input: Input<R>) => BodyAt<R>;

type CallSteps<R extends CallingRoute> = {
  /** Throws the service error for what the fields' rules cannot refuse. */
  request(input: Input<R>): RequestOf<R['calls'][0]>;
  headers?(deps: CallDeps): HeadersAt<R>;
  /** Its answers may be large and show no secret. */
  readonly isCompressible?: boolean;
  /** The command may move credits, so the balance is read again. */
  readonly movesBalance?: boolean;
} & ([BodyAt<R>] extends [never]
  ? { readonly body?: never }
  : IsOneShape<R> extends true
    ? { readonly body?: RenderBody<R> }
    : { readonly body: RenderBody<R> });

type AnySteps = {
  request(input: unknown): never;
  headers?(deps: CallDeps): object;
  readonly isCompressible?: boolean;
  readonly movesBalance?: boolean;
  body?(reply: unknown, input: unknown): object;
};
type AnyAnswers = {
  json(body: object, more: object): never;
  empty(more: object): never;
};

/**
 * A route that parses, calls its one command and answers with the row's one status. Without `body` the reply is the body,
 * if the row describes one.
 */
export const callRoute = <R extends CallingRoute>(row: R, steps: CallSteps<R>): RouteHandler<R, CallDeps> => {
  const [command] = row.calls as readonly [Surface['calls'][number]];
  const { request, headers, body, isCompressible, movesBalance } = steps as unknown as AnySteps;
  const [[status = '', response = {}] = []] = Object.entries<object>(row.responses);
  const answers = answersOf(row as Route, Number(status)) as unknown as AnyAnswers;
  return {
    row,
    async handle(deps, input) {
      const asked = request(input);
      if (movesBalance) input.balanceMayHaveMoved();
      const reply = await deps.call(command, asked, input.callContext);
      const more = headers ? { headers: headers(deps) } : {};
      if (!('schema' in response)) return answers.empty(more);
      const answer = answers.json(body ? body(reply, input) : reply, more);
      return isCompressible ? compressible(answer) : answer;
    },
  };
};
