import { type ChangedBy, type Command, personOf, type ReplyOf, type RequestOf } from '@tds/contracts';
import type { ParsedParams, Route, RouteResponse, routes } from '@tds/http-api';
import { ZodObject } from 'zod';
import type { Surface } from '../../surface.ts';
import { asCompressible } from '../../wire/index.ts';
import { csvPage } from './csv-page.ts';
import { type CamelCase, snakeCase } from './public-fields.ts';
import {
  type BodyAt,
  createAnswers,
  type HeadersAt,
  type HeadersToSet,
  listPage,
  type PageQuery,
} from './route-answer.ts';
import type { RouteDeps } from './route-deps.ts';
import type { BodyOf, Input, RouteHandler } from './route-handler.ts';

type CallDeps = Pick<RouteDeps, 'call' | 'config'>;
type SessionInput = Input<typeof routes.logout>;

/** Fields of requests that hold, under these names, facts of the caller. */
const callerFields = {
  accountId: ({ principal }: SessionInput) => principal.accountId,
  keyId: ({ principal }: SessionInput) => principal.keyId,
  limitId: ({ principal }: SessionInput) => principal.limitId ?? null,
  tier: ({ principal }: SessionInput) => principal.tier,
  personId: ({ principal }: SessionInput) => personOf(principal),
  by: ({ principal: { keyId, personId }, clientAddress }: SessionInput): ChangedBy => ({
    ...{ keyId, personId, clientAddress },
  }),
  sessionDigest: ({ credentialDigest }: SessionInput) => credentialDigest,
  clientAddress: ({ clientAddress }: SessionInput) => clientAddress,
  device: ({ device }: SessionInput) => device,
  idempotencyKey: ({ idempotencyKey }: Pick<Input, 'idempotencyKey'>) => idempotencyKey,
};
type CallerField = keyof typeof callerFields;

type UnknownFields<R extends Route> =
  | (R['access'] extends 'public' | 'anyone' ? Exclude<CallerField, 'clientAddress' | 'device'> : never)
  | (R['access'] extends 'session' ? never : 'sessionDigest');
type CallerFields<R extends Route> = {
  [Name in Exclude<CallerField, UnknownFields<R>>]: ReturnType<(typeof callerFields)[Name]>;
};

type SentFields<R extends Route> = Input<R>['query'] & (BodyOf<R> extends null ? unknown : BodyOf<R>);

/** What the gateway fills the fields of a request with: ids of the path before facts of the caller before fields of the row. */
type KnownFields<R extends Route> = ParsedParams<R['params']> &
  Omit<CallerFields<R>, keyof ParsedParams<R['params']>> & {
    [Name in keyof SentFields<R> & string as Exclude<CamelCase<Name>, CallerField>]: SentFields<R>[Name];
  };

/** A row that answers with the reply of its first command; another may be asked for a field of its request. */
type CallingRoute = Route & { readonly calls: readonly [Command, ...Command[]] };
type Request<R extends CallingRoute> = RequestOf<R['calls'][0]>;
type Reply<R extends CallingRoute> = ReplyOf<R['calls'][0]>;

type FilledFields<R extends CallingRoute> = {
  [Name in keyof Request<R>]-?: Name extends keyof KnownFields<R>
    ? KnownFields<R>[Name] extends Request<R>[Name]
      ? Name
      : never
    : never;
}[keyof Request<R>];
type RemainingFields<R extends CallingRoute> = Omit<Request<R>, FilledFields<R>>;

type Optional<Name extends string, Value, IsOptional> = IsOptional extends true
  ? { readonly [N in Name]?: Value }
  : { readonly [N in Name]: Value };

/** The reply has all fields of the body; those of paging are added. */
type IsOneShape<R extends CallingRoute> = [BodyAt<R>] extends [never]
  ? true
  : Reply<R> extends Omit<BodyAt<R>, keyof ReturnType<typeof listPage>>
    ? true
    : false;

type CallSteps<R extends CallingRoute> =
  /** The fields that no name fills. Throws the service error for what the fields' rules cannot refuse. */
  Optional<
    'request',
    (input: Input<R>, deps: CallDeps) => RemainingFields<R> | Promise<RemainingFields<R>>,
    Record<never, never> extends RemainingFields<R> ? true : false
  > &
    Optional<'body', (reply: Reply<R>, input: Input<R>, deps: CallDeps) => BodyAt<R>, IsOneShape<R>> &
    Optional<
      'headers',
      (deps: CallDeps, reply: Reply<R>) => HeadersAt<R>,
      [HeadersToSet<R>] extends [never] ? true : false
    >;

/** `R` if its row says all of it; such a row has no handler. */
type PlainRoute<R> = R extends CallingRoute ? (Record<never, never> extends CallSteps<R> ? R : never) : never;

type Routes = typeof routes;

type PlainRouteName = {
  [Name in keyof Routes]: Routes[Name] extends PlainRoute<Routes[Name]> ? Name : never;
}[keyof Routes];

/** The handlers by the names of their rows; the compiler reports swapped ones, and missing ones of rows that need one. */
export type RouteHandlers<D> = {
  readonly [Name in Exclude<keyof Routes, PlainRouteName>]: RouteHandler<Routes[Name], D>;
} & { readonly [Name in PlainRouteName]?: RouteHandler<Routes[Name], D> };

type AnySteps = {
  request?(input: AnyInput, deps: CallDeps): object | Promise<object>;
  headers?(deps: CallDeps, reply: object): object;
  body?(reply: object, input: AnyInput, deps: CallDeps): object;
};
type AnyInput = Input & Parameters<(typeof callerFields)['accountId']>[0];
type Fields = Readonly<Record<string, unknown>>;
type AnyAnswers = {
  json(body: object, more: object): never;
  composed(contentType: string, body: string, more: object): never;
  empty(more: object): never;
};

const listFields = (schema: unknown): readonly string[] =>
  schema instanceof ZodObject ? Object.keys(schema.shape) : [];

const readField = (name: string, input: AnyInput): unknown => {
  const { params, query, body } = input;
  if (name in params) return params[name];
  const reader = callerFields[name as CallerField];
  return reader === undefined
    ? { ...query, ...(body as object | null) }[snakeCase(name)]
    : reader(input as never);
};

type ListReply = Omit<Parameters<typeof listPage>[2], 'count'>;

/** What the row describes of a reply, with its paging if it is a list. */
const toBody = (row: Route, fields: readonly string[], reply: Fields, { query, params }: AnyInput): object => {
  const content = Object.fromEntries(fields.filter((name) => name in reply).map((name) => [name, reply[name]]));
  if (!fields.includes('has_more')) return content;
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name) => `${params[row.params[name]?.as ?? name]}`);
  const { length } = content[fields.find((name) => Array.isArray(reply[name])) ?? ''] as unknown[];
  const { total, offset, cursors } = reply as ListReply;
  return {
    ...content,
    ...listPage({ ...row, path }, query as PageQuery, { count: length, total, offset, cursors }),
  };
};

/**
 * A route that calls its one command and answers with the row's one status. The fields of the request are filled by their names,
 * and the body has what the row describes of the reply; `steps` adds the rest.
 */
export const callRoute = <R extends CallingRoute>(row: R, steps: CallSteps<R>): RouteHandler<R, CallDeps> => {
  const [command] = row.calls as readonly [Surface['calls'][number], ...unknown[]];
  const { request, headers, body } = steps as AnySteps;
  const [[status = '', response] = []] = Object.entries<RouteResponse>(row.responses);
  const answers = createAnswers(row as Route, Number(status)) as unknown as AnyAnswers;
  const [requestFields, bodyFields] = [listFields(command.request), listFields(response?.schema)];
  const isCompressible = response?.headers?.includes('Vary');
  const handle = async (deps: CallDeps, input: AnyInput) => {
    const extraFields = (await request?.(input, deps)) ?? {};
    const filledFields = requestFields
      .filter((name) => !(name in extraFields))
      .map((name) => [name, readField(name, input)]);
    if (row.movesBalance) input.exchange.hasMovedBalance = true;
    const reply = await deps.call(
      command,
      { ...Object.fromEntries(filledFields), ...extraFields } as never,
      input.callContext,
    );
    const more = headers ? { headers: headers(deps, reply) } : {};
    if (response?.schema === undefined) return answers.empty(more);
    const content = body ? body(reply, input, deps) : toBody(row, bodyFields, reply, input);
    const answer =
      input.query.format === 'csv'
        ? answers.composed(...csvPage(response.schema, content as Fields))
        : answers.json(content, more);
    return isCompressible ? asCompressible(answer) : answer;
  };
  return { row, handle: handle as unknown as RouteHandler<R, CallDeps>['handle'] };
};

/** The handler of a row that has none of its own. */
export const callPlainRoute = (row: Route): RouteHandler =>
  callRoute(row as never, {} as never) as unknown as RouteHandler;
