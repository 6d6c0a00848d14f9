import { type Fields, parseBody, parseFields, type RawQuery, type Route } from '@tds/contracts';
import { withSpan } from '@tds/service-kit';
import type { BalanceBook } from '../admission/balance-book.ts';
import type { createLetIn } from '../principals/let-in.ts';
import type { RouteHandler } from '../routes/route-handler.ts';
import type { Answer } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import { readCredential } from './credentials.ts';
import type { Exchange, GatewayRequest, GatewayResponse } from './exchange.ts';
import { readBody } from './read-body.ts';
import { RouteInput } from './route-input.ts';

export type ServeParts = {
  readonly letIn: ReturnType<typeof createLetIn>;
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

/** Parses a query once per string: the reader gives the same object for the same string. */
const createQueryParser = (fields: Fields): ((raw: RawQuery) => ParsedQuery) => {
  const parsed = new WeakMap<RawQuery, ParsedQuery>();
  const parse = (raw: RawQuery): ParsedQuery => {
    try {
      return { query: parseFields(fields, raw), error: null };
    } catch (error) {
      // Told only after the caller is known: strangers learn nothing of the rules, and every answer has its headers.
      return { query: null, error };
    }
  };
  return (raw) => {
    const before = parsed.get(raw);
    if (before !== undefined) return before;
    const fresh = parse(raw);
    parsed.set(raw, fresh);
    return fresh;
  };
};

const allOptional = (fields: Fields): boolean =>
  Object.values(fields).every(({ schema }) => schema.safeParse(undefined).success);

const createBodyParser = (fields: Fields | null) => {
  if (fields === null) return null;
  const emptyIsFine = allOptional(fields);
  return async (request: GatewayRequest): Promise<Record<string, unknown>> => {
    const text = await readBody(request);
    return parseBody(fields, text === '' && emptyIsFine ? '{}' : text);
  };
};

const refreshBalance = async (book: BalanceBook, exchange: Exchange): Promise<void> => {
  const { requestId, accountId } = exchange;
  if (accountId !== null) exchange.balance = await book.refresh({ requestId, accountId });
};

/** Answers a request that has an exchange; never rejects. */
export type ServedRoute = (request: GatewayRequest, response: GatewayResponse) => Promise<void>;

/** One row of the table as a handler: credential, admission, parameters, body, handler, answer. */
export const serveRoute = <R extends Route>(
  row: R,
  typedHandler: RouteHandler<R>,
  parts: ServeParts,
): ServedRoute => {
  const handler = typedHandler as unknown as AnyHandler;
  const { readAddress } = parts;
  const parseQuery = createQueryParser(row.query);
  const parseRequestBody = createBodyParser(row.body);

  const answer = async (request: GatewayRequest, exchange: Exchange): Promise<Answer> => {
    const { query, error } = parseQuery(exchange.query);
    const credential = exchange.credential ?? readCredential(request, row);
    const wanted = (query && handler.wantedKey?.(query)) ?? null;
    const guest = credential && (await parts.letIn(exchange, credential, wanted));
    if (query === null) throw error;
    const body = parseRequestBody && (await parseRequestBody(request));
    const input = new RouteInput(request, exchange, { query, body, guest, credential, readAddress });
    try {
      return await handler.handle(input);
    } finally {
      if (input.hasMovedBalance) await refreshBalance(parts.book, exchange);
    }
  };

  const spanName = `${row.method} ${row.path}`;
  const spanOptions = { kind: 'server', service: 'gateway' } as const;

  return async (request: GatewayRequest, response: GatewayResponse): Promise<void> => {
    const { exchange } = response.locals;
    exchange.route = row.id;
    try {
      const answered = await withSpan(spanName, spanOptions, () => answer(request, exchange));
      parts.finish(request, response, answered);
    } catch (thrown) {
      parts.fail(request, response, thrown);
    }
  };
};
