import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@tds/contracts';
import type { RawQuery } from '@tds/http-api';

/** A well-formed credential, not yet checked. */
export type Credential = { readonly kind: 'key' | 'session'; readonly digest: string };

/** What the parameters of a request say, by its route or by that of a tool. */
type Parameters = Readonly<Record<'params' | 'query', Readonly<Record<string, unknown>>>>;

/** What a request is about. */
type Subject = { readonly videoId?: string; readonly jobId?: string };

/** State of one request. The headers and the log record of its answer are made from it. */
export type Exchange = {
  /**
   * Always our own: a caller's X-Request-Id is ignored. Also the ledger's ref for the cost of the request.
   */
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** The route's id, or a name for paths outside the table. */
  route: string;
  /** Pages of other sites may read the answer. */
  isOpen: boolean;
  query: RawQuery;
  /** Read by the front door for fixed paths; else null. */
  credential: Credential | null;
  isAuthenticated: boolean;
  accountId: string | null;
  keyId: string | null;
  personId: string | null;
  /** The handler has started, so the request may have taken effect. */
  hasBegun: boolean;
  /** Its charge is refunded. */
  isWaived: boolean;
  creditsCharged: number;
  /** Null until the parameters are read. */
  parameters: Parameters | null;
  /** What its parameters do not say of its subject; null if they say all. */
  subject: Subject | null;
  /** Work goes on after the answer, and may be charged later. */
  isUnderWay: boolean;
  /** Credits may have moved, so the balance is read again. */
  hasMovedBalance: boolean;
  /** The balance that the work returned; null if it returned none. */
  newBalance: number | null;
  /** Free and purchased credits; null if unknown. */
  balance: number | null;
  /** Requests per minute; null if no per-key rate applies. */
  rateLimit: number | null;
};

const noQuery: RawQuery = Object.freeze(Object.create(null));

export const openExchange = (): Exchange => ({
  requestId: newId(),
  startedAt: performance.now(),
  route: 'unknown',
  isOpen: true,
  query: noQuery,
  credential: null,
  isAuthenticated: false,
  accountId: null,
  keyId: null,
  personId: null,
  hasBegun: false,
  isWaived: false,
  creditsCharged: 0,
  parameters: null,
  subject: null,
  isUnderWay: false,
  hasMovedBalance: false,
  newBalance: null,
  balance: null,
  rateLimit: null,
});

/** A request as Node creates it. Of what Express adds only `params` is used. */
export type GatewayRequest = IncomingMessage & {
  readonly method: string;
  readonly url: string;
  readonly params?: Readonly<Record<string, string>>;
};

/** Express keeps `locals` if they exist. */
export type GatewayResponse = ServerResponse & { locals: { readonly exchange: Exchange } };
