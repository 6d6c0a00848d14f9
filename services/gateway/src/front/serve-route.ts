import { clientNetwork, failSpan, isTracing, withSpan } from '@tds/base';
import { type Route, routeTable } from '@tds/http-api';
import type { BalanceCache, BodyShare, RequestUse } from '../admission/index.ts';
import { callPlainRoute, type RouteHandler } from '../routes/serve/index.ts';
import {
  type Answer,
  deviceCookie,
  type Exchange,
  type GatewayRequest,
  type GatewayResponse,
} from '../wire/index.ts';
import { isOpenToSites } from './cross-origin.ts';
import type { Finish } from './finish.ts';
import type { FrontDeps } from './front-deps.ts';
import { readCredential } from './input/credentials.ts';
import { type ReadRequest, RouteInput } from './input/route-input.ts';
import { createRules, type RowRules } from './input/row-rules.ts';
import { routeHandlers } from './route-handlers.ts';

const SERVER_ERROR = 500;
type Span = Parameters<typeof failSpan>[0];

/** The handler without its row's types: the row's own rules produced its input. */
type AnyHandler = {
  wants?(deps: FrontDeps, query: unknown): RequestUse;
  handle(deps: FrontDeps, input: unknown): Answer | Promise<Answer>;
};

type RouteContext = {
  readonly row: Route;
  readonly handler: AnyHandler;
  readonly rules: RowRules;
  readonly deps: FrontDeps;
};

const refreshBalance = async (balances: BalanceCache, exchange: Exchange): Promise<void> => {
  const { requestId, accountId, newBalance } = exchange;
  if (accountId === null) return;
  if (newBalance !== null) balances.keep(accountId, newBalance);
  exchange.balance = newBalance ?? (await balances.refresh({ requestId, accountId }));
};

const handle = async (
  { handler, deps }: RouteContext,
  request: GatewayRequest,
  exchange: Exchange,
  values: ReadRequest,
): Promise<Answer> => {
  exchange.hasBegun = true;
  try {
    return await handler.handle(deps, new RouteInput(request, exchange, values));
  } finally {
    if (exchange.hasMovedBalance) await refreshBalance(deps.balances, exchange);
  }
};

/** A refusal holds for the network, the device and the address, invitation or link that were refused: limits count by them. */
const refusalName = (
  { row, deps: { readAddress } }: RouteContext,
  request: GatewayRequest,
  { body, params }: ReadRequest,
) => {
  const { email, invitation_id: invitation } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const device = deviceCookie.read(request.headers.cookie)?.digest ?? '';
  return [
    row.id,
    clientNetwork(readAddress(request)),
    device,
    String(email ?? invitation ?? params.linkId ?? '').toLowerCase(),
  ].join(' ');
};

/** Answers from memory, until its Retry-After, a repeat of a request that was refused with 429. */
const refuseRepeats = async (
  serving: RouteContext,
  request: GatewayRequest,
  input: ReadRequest,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const { refusals } = serving.deps.publicCallers;
  const name = refusalName(serving, request, input);
  refusals.throwRefusal(name);
  try {
    return await work();
  } catch (error) {
    refusals.keep(name, error);
    throw error;
  }
};

/**
 * Answers a caller without a credential. Throws `rate_limit` if its network asks too often; the network gate counts payment events, of
 * which a processor sends many.
 */
const answerAnonymous = async (
  serving: RouteContext,
  request: GatewayRequest,
  exchange: Exchange,
  read: (share: BodyShare) => Promise<ReadRequest>,
): Promise<Answer> => {
  const { row, deps } = serving;
  const network = clientNetwork(deps.readAddress(request));
  if (row.signedBy === undefined) deps.publicCallers.count(network);
  const bodyShare = deps.publicCallers.bodyShare(network);
  const readAndHandle = async (): Promise<Answer> => {
    const input = await read(bodyShare).finally(bodyShare.release);
    return refuseRepeats(serving, request, input, () => handle(serving, request, exchange, input));
  };
  return row.signedBy === undefined
    ? readAndHandle()
    : deps.signedEvents.lookUp(deps.readAddress(request), () => network, readAndHandle);
};

/** Parses, admits and handles a request. */
const answer = async (serving: RouteContext, request: GatewayRequest, exchange: Exchange): Promise<Answer> => {
  const { row, rules, handler, deps } = serving;
  const { callerAdmission, readAddress } = deps;
  const { query, error } = rules.parseQuery(exchange.query);
  const credential = exchange.credential ?? readCredential(request, row);
  const cacheUse = (query && handler.wants?.(deps, query)) ?? null;
  const network = () => clientNetwork(readAddress(request));
  const caller = credential && (await callerAdmission.admit(exchange, credential, cacheUse, network));
  const principal = caller?.principal ?? null;
  rules.authorize(principal, query, request.headers['idempotency-key'] !== undefined);
  if (query === null) throw error;
  const read = async (share: BodyShare | null): Promise<ReadRequest> => ({
    query,
    caller,
    credential,
    readAddress,
    idempotencyKey: rules.readIdempotencyKey?.(request) ?? null,
    body: rules.parseRequestBody && (await rules.parseRequestBody(request, principal, share)),
    params: rules.readParams(request),
  });
  // The gateway answers it from memory.
  const isAnsweredFromMemory = row.access === 'public' && row.calls.length === 0;
  return caller === null && !isAnsweredFromMemory
    ? answerAnonymous(serving, request, exchange, read)
    : handle(serving, request, exchange, await read(null));
};

/** Answers a request that has an exchange; never throws. */
type ServedRoute = (request: GatewayRequest, response: GatewayResponse) => Promise<void>;

/** As OpenTelemetry's conventions for HTTP servers have it; the request id is that of the log and the answer. */
const describeRequest = (row: Route, { method }: GatewayRequest, { requestId }: Exchange) =>
  ({
    kind: 'server',
    service: 'gateway',
    attributes: { 'http.request.method': method, 'http.route': row.path, 'tds.request_id': requestId },
  }) as const;

/** A refusal of the caller is no failure of the server. */
const endSpan = (span: Span | undefined, status: number, thrown: unknown): void => {
  span?.setAttribute('http.response.status_code', status);
  if (span && status >= SERVER_ERROR) failSpan(span, thrown);
};

/** Serves one row: parameters, credential, admission, body, handler, answer. */
const serveRoute = (handler: RouteHandler, deps: FrontDeps, { finish, fail }: Finish): ServedRoute => {
  const { row } = handler;
  const rules = createRules(row, deps.now);
  const serving = { row, handler: handler as unknown as AnyHandler, rules, deps };
  const isOpen = isOpenToSites(row);
  const respond = async (request: GatewayRequest, response: GatewayResponse, span?: Span): Promise<void> => {
    try {
      const given = await answer(serving, request, response.locals.exchange);
      endSpan(span, given.status, given.failure);
      finish(request, response, given);
    } catch (thrown) {
      endSpan(span, fail(request, response, thrown), thrown);
    }
  };
  return async (request, response) => {
    const { exchange } = response.locals;
    exchange.route = row.id;
    exchange.isOpen = isOpen;
    await (isTracing()
      ? withSpan(`${row.method} ${row.path}`, describeRequest(row, request, exchange), (span) =>
          respond(request, response, span),
        )
      : respond(request, response));
  };
};

export type ServedRow = { readonly row: Route; readonly serve: ServedRoute };

/** Pairs every row of the table with its handler; one without calls its command. */
export const serveTable = (deps: FrontDeps, finish: Finish): readonly ServedRow[] => {
  const byId = routeHandlers as unknown as Readonly<Record<string, RouteHandler>>;
  return routeTable.map((row) => ({
    row,
    serve: serveRoute(byId[row.id] ?? callPlainRoute(row), deps, finish),
  }));
};
