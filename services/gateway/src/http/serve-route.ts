import {
  type Fields,
  IDEMPOTENCY_KEY_HEADER,
  keyStatesOf,
  parseBody,
  parseIdempotencyKey,
  parseQuery,
  type RawQuery,
  type Route,
  serviceError,
} from '@tds/contracts';
import { clientNetwork, isTracing, withSpan } from '@tds/service-kit';
import type { BalanceBook } from '../admission/balance-book.ts';
import { oncePer } from '../once-per.ts';
import type { LetIn, LetInEveryone } from '../principals/let-in.ts';
import type { RouteHandler } from '../routes/route-handler.ts';
import type { Answer } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import { readCredential } from './credentials.ts';
import type { Credential, Exchange, GatewayRequest, GatewayResponse } from './exchange.ts';
import { readBody } from './read-body.ts';
import { type Read, RouteInput } from './route-input.ts';

export type ServeParts = {
  readonly letIn: LetInEveryone;
  readonly book: BalanceBook;
  readonly readAddress: ClientAddress;
  finish(request: GatewayRequest, response: GatewayResponse, answer: Answer): void;
  fail(request: GatewayRequest, response: GatewayResponse, thrown: unknown): void;
};

/** The handler with its row's types forgotten: what it gets was made by its row's own rules. */
type AnyHandler = {
  wantedKey?(query: unknown): string | null;
  handle(input: unknown): Answer | Promise<Answer>;
};

type ParsedQuery = { readonly query: Record<string, unknown> | null; readonly error: unknown };

/** What a request asks for and who may be asking, before anybody else is asked about it. */
type Asked = ParsedQuery & {
  readonly credential: Credential | null;
  readonly wanted: string | null;
  readonly guest: LetIn | null;
};

/** Parses a query once per string: the reader gives the same object for the same string. */
const createQueryParser = (row: Route): ((raw: RawQuery) => ParsedQuery) =>
  oncePer((raw) => {
    try {
      return { query: parseQuery(row, raw), error: null };
    } catch (error) {
      // Told only after the caller is known: strangers learn nothing of the rules, and every answer has its headers.
      return { query: null, error };
    }
  });

const createBodyParser = (fields: Fields | null) =>
  fields === null
    ? null
    : async (request: GatewayRequest): Promise<Record<string, unknown>> =>
        parseBody(fields, await readBody(request));

const refreshBalance = async (
  book: BalanceBook,
  exchange: Exchange,
  { movedTo }: RouteInput,
): Promise<void> => {
  const { requestId, accountId } = exchange;
  if (accountId === null) return;
  if (movedTo !== null) book.note(accountId, movedTo);
  exchange.balance = movedTo ?? (await book.refresh({ requestId, accountId }));
};

const idempotencyHeader = IDEMPOTENCY_KEY_HEADER.toLowerCase();

/** Refuses keys in a state that the row does not take, unless this may be a repeat: whether it is, its owner knows. */
const createStateCheck = (row: Route) => {
  const states = keyStatesOf(row);
  return (guest: LetIn | null, { headers }: GatewayRequest): void => {
    const state = guest?.principal.keyState ?? 'active';
    if (states.includes(state)) return;
    const mayRepeat = row.endingKeysRepeat && headers[idempotencyHeader] !== undefined;
    if (!mayRepeat) throw serviceError('key_is_ending');
  };
};

/** Null where the row takes none: then nobody looks. */
const createIdempotencyReader = ({ takesIdempotencyKey }: Route) =>
  takesIdempotencyKey
    ? ({ headersDistinct }: GatewayRequest) => parseIdempotencyKey(headersDistinct[idempotencyHeader])
    : null;

/** Answers a request that has an exchange, now or later; never throws. */
export type ServedRoute = (request: GatewayRequest, response: GatewayResponse) => void;

/** One row of the table as a handler: credential, admission, parameters, body, handler, answer. */
export const serveRoute = <R extends Route>(
  row: R,
  typedHandler: RouteHandler<R>,
  parts: ServeParts,
): ServedRoute => {
  const handler = typedHandler as unknown as AnyHandler;
  const { readAddress, letIn } = parts;
  const parse = createQueryParser(row);
  const parseRequestBody = createBodyParser(row.body);
  const checkState = createStateCheck(row);
  const readIdempotencyKey = createIdempotencyReader(row);
  const mayAnswerAtOnce = parseRequestBody === null && readIdempotencyKey === null;

  const afterWork = async (work: Promise<Answer>, input: RouteInput, exchange: Exchange): Promise<Answer> => {
    try {
      return await work;
    } finally {
      if (input.hasMovedBalance) await refreshBalance(parts.book, exchange, input);
    }
  };
  const handle = (request: GatewayRequest, exchange: Exchange, read: Read): Answer | Promise<Answer> => {
    const input = new RouteInput(request, exchange, read);
    const answered = handler.handle(input);
    return answered instanceof Promise ? afterWork(answered, input, exchange) : answered;
  };
  const askAndHandle = async (request: GatewayRequest, exchange: Exchange, asked: Asked): Promise<Answer> => {
    const { credential, wanted, query, error } = asked;
    const network = () => clientNetwork(readAddress(request));
    const guest = asked.guest ?? (credential && (await letIn.ask(exchange, credential, wanted, network)));
    checkState(guest, request);
    if (query === null) throw error;
    const idempotencyKey = readIdempotencyKey?.(request) ?? null;
    const body = parseRequestBody && (await parseRequestBody(request));
    return handle(request, exchange, { query, body, guest, credential, idempotencyKey, readAddress });
  };
  /** Nothing is waited for where the caller is let in at once and the handler has the answer. */
  const answer = (request: GatewayRequest, exchange: Exchange): Answer | Promise<Answer> => {
    const { query, error } = parse(exchange.query);
    const credential = exchange.credential ?? readCredential(request, row);
    const wanted = (query && handler.wantedKey?.(query)) ?? null;
    const guest = credential && letIn.atOnce(exchange, credential, wanted);
    if (guest === null || query === null || !mayAnswerAtOnce) {
      return askAndHandle(request, exchange, { query, error, credential, wanted, guest });
    }
    checkState(guest, request);
    const read = { query, body: null, guest, credential, idempotencyKey: null, readAddress };
    return handle(request, exchange, read);
  };

  const spanName = `${row.method} ${row.path}`;
  const spanOptions = { kind: 'server', service: 'gateway' } as const;
  const finishLater = async (
    request: GatewayRequest,
    response: GatewayResponse,
    answered: Promise<Answer>,
  ): Promise<void> => {
    try {
      parts.finish(request, response, await answered);
    } catch (thrown) {
      parts.fail(request, response, thrown);
    }
  };

  return (request, response) => {
    const { exchange } = response.locals;
    exchange.route = row.id;
    try {
      const answered = isTracing()
        ? withSpan(spanName, spanOptions, () => answer(request, exchange))
        : answer(request, exchange);
      if (answered instanceof Promise) void finishLater(request, response, answered);
      else parts.finish(request, response, answered);
    } catch (thrown) {
      parts.fail(request, response, thrown);
    }
  };
};
