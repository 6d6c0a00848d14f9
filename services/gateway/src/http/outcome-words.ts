import { type ErrorCode, type Route, routes, ServiceError } from '@tds/contracts';
import { hasBegunNothing } from '@tds/service-kit';
import type { Exchange, GatewayRequest } from './exchange.ts';

/** Those that say nothing of what became of the request: any other code is about the request itself. */
const openCodes: Partial<Record<ErrorCode, string>> = {
  service_unavailable: 'A part of the service is not reachable, or did not answer in time.',
  unexpected_error: 'Something went wrong on our side.',
};

const rows: readonly Route[] = Object.values(routes);
const rowOf = (id: string): Route | undefined => rows.find((row) => row.id === id);

const isAt = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);

/** Where a caller sees whether something has changed: the nearest route that reads, at the same path or above it. */
const readingRoute = ({ path, outcomeAt = path }: Route): string | undefined =>
  rows
    .filter((row) => row.method === 'GET' && isAt(outcomeAt, row.path))
    .toSorted((one, other) => other.path.length - one.path.length)[0]?.path;

const whatToDo = (row: Route, hasIdempotencyKey: boolean): string => {
  if (row.takesIdempotencyKey && hasIdempotencyKey)
    return 'Repeat it with the same Idempotency-Key: it takes effect once, and the answer says so.';
  const path = readingRoute(row);
  return path === undefined
    ? 'It may be repeated.'
    : `GET ${path} shows whether it has, before you repeat it.`;
};

/** The request as it is known when it is answered. */
type Answered = {
  readonly exchange: Pick<Exchange, 'route' | 'hasBegun' | 'isDisowned'>;
  readonly hasIdempotencyKey: boolean;
};

const outcomeOf = (error: ServiceError, { exchange, hasIdempotencyKey }: Answered): string => {
  const row = rowOf(exchange.route);
  if (row === undefined || !exchange.hasBegun || hasBegunNothing(error))
    return 'Nothing was begun, and nothing was charged. Retry.';
  if (exchange.isDisowned) return 'It costs nothing: a credit that was charged for it is given back. Retry.';
  if (row.method === 'GET' || row.changesNothing) return 'This request has charged nothing. Retry.';
  return `The request may have taken effect. ${whatToDo(row, hasIdempotencyKey)}`;
};

/** The error with what is certain of the request at this moment, and with what its caller can do. */
export const withOutcome = (error: ServiceError, answered: Answered): ServiceError => {
  const what = openCodes[error.code];
  if (what === undefined) return error;
  const message = `${what} ${outcomeOf(error, answered)}`;
  return new ServiceError({ ...error.data, message }, error.cause);
};

export const hasIdempotencyKey = ({ headers }: Pick<GatewayRequest, 'headers'>): boolean =>
  headers['idempotency-key'] !== undefined;
