import { clientNetwork, isTracing, withSpan } from '@tds/base';
import { type Route, routeTable } from '@tds/http-api';
import type { BalanceCache } from '../admission/balance-cache.ts';
import type { RequestUse } from '../admission/redis-admission.ts';
import type { Deps } from '../deps.ts';
import type { Caller, CallerAdmission } from '../principals/caller-admission.ts';
import { callPlainRoute } from '../routes/call-route.ts';
import type { RouteHandler, RouteHandlers } from '../routes/route-handler.ts';
import type { Answer } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import { readDeviceCookie } from './cookies.ts';
import { readCredential } from './credentials.ts';
import { isOpenToSites } from './cross-origin.ts';
import type { Credential, Exchange, GatewayRequest, GatewayResponse } from './exchange.ts';
import type { BodyShare, PublicCallers } from './public-callers.ts';
import { type ReadRequest, RouteInput } from './route-input.ts';
import { type ParsedQuery, type RowRules, rulesOf } from './row-rules.ts';

type EdgeDeps = {
  readonly callerAdmission: CallerAdmission;
  readonly balances: BalanceCache;
  readonly readAddress: ClientAddress;
  readonly publicCallers: PublicCallers;
  finish(request: GatewayRequest, response: GatewayResponse, answer: Answer): void;
  fail(request: GatewayRequest, response: GatewayResponse, thrown: unknown): void;
};

/** The handler without its row's types: the row's own rules produced its input. */
type AnyHandler = {
  wants?(deps: Deps, query: unknown): RequestUse;
  handle(deps: Deps, input: unknown): Answer | Promise<Answer>;
};

type Serving = {
  readonly row: Route;
  readonly handler: AnyHandler;
  readonly rules: RowRules;
  readonly deps: Deps;
  readonly edge: EdgeDeps;
};

/** A parsed request before its caller is authenticated. */
type ParsedRequest = ParsedQuery & {
  readonly credential: Credential | null;
  readonly wanted: RequestUse;
  readonly caller: Caller | null;
};

const refreshBalance = async (balances: BalanceCache, exchange: Exchange): Promise<void> => {
  const { requestId, accountId, movedTo } = exchange;
  if (accountId === null) return;
  if (movedTo !== null) balances.keep(accountId, movedTo);
  exchange.balance = movedTo ?? (await balances.refresh({ requestId, accountId }));
};

const afterWork = async (
  { edge: { balances } }: Serving,
  work: Promise<Answer>,
  exchange: Exchange,
): Promise<Answer> => {
  try {
    return await work;
  } finally {
    if (exchange.hasMovedBalance) await refreshBalance(balances, exchange);
  }
};

const handle = (
  serving: Serving,
  request: GatewayRequest,
  exchange: Exchange,
  read: ReadRequest,
): Answer | Promise<Answer> => {
  const input = new RouteInput(request, exchange, read);
  exchange.hasBegun = true;
  const answered = serving.handler.handle(serving.deps, input);
  return answered instanceof Promise ? afterWork(serving, answered, exchange) : answered;
};

/**
 * Throws `rate_limit` if a network asks too often without a credential. The network gate counts payment events, of which a processor sends
 * many.
 */
const admitStranger = ({ row, edge: { publicCallers } }: Serving, network: string): BodyShare => {
  if (row.signedBy === undefined) publicCallers.count(network);
  return publicCallers.bodyShare(network);
};

/** A refusal holds for the network, the device and the address that were refused: limits count by them. */
const refusalName = ({ row, edge: { readAddress } }: Serving, request: GatewayRequest, body: unknown) => {
  const { email } = (body ?? {}) as { readonly email?: unknown };
  const device = readDeviceCookie(request.headers.cookie)?.digest ?? '';
  return [row.id, clientNetwork(readAddress(request)), device, String(email ?? '').toLowerCase()].join(' ');
};

/** Answers a stranger's repeat of a request that was refused with 429 from memory, until its Retry-After. */
const refuseRepeats = async (
  serving: Serving,
  request: GatewayRequest,
  { body }: ReadRequest,
  work: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const { refusals } = serving.edge.publicCallers;
  const name = refusalName(serving, request, body);
  refusals.throwKnown(name);
  try {
    return await work();
  } catch (error) {
    refusals.keep(name, error);
    throw error;
  }
};

const admitAndHandle = async (
  serving: Serving,
  request: GatewayRequest,
  exchange: Exchange,
  parsed: ParsedRequest,
): Promise<Answer> => {
  const { row, rules, deps, edge } = serving;
  const { callerAdmission, readAddress } = edge;
  const { credential, wanted, query, error } = parsed;
  const network = () => clientNetwork(readAddress(request));
  const caller =
    parsed.caller ??
    (credential && (await callerAdmission.authenticateAndAdmit(exchange, credential, wanted, network)));
  rules.checkState(caller?.principal ?? null, request);
  if (query === null) throw error;
  const share = caller === null ? admitStranger(serving, network()) : null;
  const idempotencyKey = rules.readIdempotencyKey?.(request) ?? null;
  const parseBody = async () => {
    try {
      return (
        rules.parseRequestBody && (await rules.parseRequestBody(request, caller?.principal ?? null, share))
      );
    } finally {
      share?.release();
    }
  };
  const readAndHandle = async (): Promise<Answer> => {
    const body = await parseBody();
    const read = {
      params: rules.readParams(request),
      query,
      body,
      caller,
      credential,
      idempotencyKey,
      readAddress,
    };
    return caller === null
      ? refuseRepeats(serving, request, read, () => handle(serving, request, exchange, read))
      : handle(serving, request, exchange, read);
  };
  return row.signedBy === undefined
    ? readAndHandle()
    : deps.signedEvents.lookUp(readAddress(request), network, readAndHandle);
};

/** Answers synchronously if the caller is admitted at once and the handler has the answer. */
const answer = (serving: Serving, request: GatewayRequest, exchange: Exchange): Answer | Promise<Answer> => {
  const { row, rules, handler, deps, edge } = serving;
  const { query, error } = rules.parseQuery(exchange.query);
  const credential = exchange.credential ?? readCredential(request, row);
  const wanted = (query && handler.wants?.(deps, query)) ?? null;
  // The gateway answers it from memory.
  const isFree = row.access === 'public' && row.calls.length === 0;
  const caller = credential && edge.callerAdmission.admitAtOnce(exchange, credential, wanted);
  const isAdmitted = caller !== null || isFree;
  if (!isAdmitted || query === null || !rules.isHeadEnough) {
    return admitAndHandle(serving, request, exchange, { query, error, credential, wanted, caller });
  }
  rules.checkState(caller?.principal ?? null, request);
  const { readAddress } = edge;
  return handle(serving, request, exchange, {
    params: rules.readParams(request),
    query,
    body: null,
    caller,
    credential,
    idempotencyKey: null,
    readAddress,
  });
};

const finishLater = async (
  { finish, fail }: EdgeDeps,
  request: GatewayRequest,
  response: GatewayResponse,
  answered: Promise<Answer>,
): Promise<void> => {
  try {
    finish(request, response, await answered);
  } catch (thrown) {
    fail(request, response, thrown);
  }
};

/** Answers a request that has an exchange; never throws. */
type ServedRoute = (request: GatewayRequest, response: GatewayResponse) => void;

/** Serves one row: credential, admission, parameters, body, handler, answer. */
const serveRoute = (handler: RouteHandler, deps: Deps, edge: EdgeDeps): ServedRoute => {
  const { row } = handler;
  const serving = {
    row,
    handler: handler as unknown as AnyHandler,
    rules: rulesOf(row, deps.now),
    deps,
    edge,
  };
  const isOpen = isOpenToSites(row);
  const spanName = `${row.method} ${row.path}`;
  const spanOptions = { kind: 'server', service: 'gateway' } as const;
  return (request, response) => {
    const { exchange } = response.locals;
    exchange.route = row.id;
    exchange.isOpen = isOpen;
    try {
      const answered = isTracing()
        ? withSpan(spanName, spanOptions, () => answer(serving, request, exchange))
        : answer(serving, request, exchange);
      if (answered instanceof Promise) void finishLater(edge, request, response, answered);
      else edge.finish(request, response, answered);
    } catch (thrown) {
      edge.fail(request, response, thrown);
    }
  };
};

export type ServedRow = { readonly row: Route; readonly serve: ServedRoute };

/** Pairs every row of the table with its handler; one without calls its command. */
export const serveTable = (handlers: RouteHandlers, deps: Deps, edge: EdgeDeps): readonly ServedRow[] => {
  const byId = handlers as unknown as Readonly<Record<string, RouteHandler>>;
  return routeTable.map((row) => ({
    row,
    serve: serveRoute(byId[row.id] ?? callPlainRoute(row), deps, edge),
  }));
};
