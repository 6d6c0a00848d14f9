import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@tds/contracts';
import type { RawQuery } from '@tds/http-api';

/** A well-formed credential, not yet checked. */
export type Credential = { readonly kind: 'key' | 'session'; readonly digest: string };

/** What the parameters of a request say, by its route or by that of a tool. */
type Parameters = Readonly<Record<'params' | 'query', Readonly<Record<string, unknown>>>>;

/** What a request is about. */
type Subject = { readonly videoId?: string; readonly jobId?: string };

const noQuery: RawQuery = Object.freeze(Object.create(null));

/** State of one request. The headers and the log record of its answer are made from it. */
export const openExchange = () => ({
  /** Always our own: a caller's X-Request-Id is ignored. Also the ledger's ref for the cost of the request. */
  requestId: newId(),
  /** Monotonic milliseconds. */
  startedAt: performance.now(),
  /** The route's id, or a name for paths outside the table. */
  route: 'unknown',
  /** Pages of other sites may read the answer. */
  isOpen: true,
  query: noQuery,
  /** Read by the front door for fixed paths; else null. */
  credential: null as Credential | null,
  isAuthenticated: false,
  accountId: null as string | null,
  keyId: null as string | null,
  personId: null as string | null,
  /** The handler has started, so the request may have taken effect. */
  hasBegun: false,
  /** Its charge is refunded. */
  isWaived: false,
  creditsCharged: 0,
  /** Null until the parameters are read. */
  parameters: null as Parameters | null,
  /** What its parameters do not say of its subject; null if they say all. */
  subject: null as Subject | null,
  /** Work goes on after the answer, and may be charged later. */
  isUnderWay: false,
  /** Credits may have moved, so the balance is read again. */
  hasMovedBalance: false,
  /** The balance that the work returned; null if it returned none. */
  newBalance: null as number | null,
  /** Free and purchased credits; null if unknown. */
  balance: null as number | null,
  /** Requests per minute; null if no per-key rate applies. */
  rateLimit: null as number | null,
});
export type Exchange = ReturnType<typeof openExchange>;

/** A request as Node creates it. Of what Express adds only `params` is used. */
export type GatewayRequest = IncomingMessage & {
  readonly method: string;
  readonly url: string;
  readonly params?: Readonly<Record<string, string>>;
};

declare global {
  namespace Express {
    interface Locals {
      readonly exchange: Exchange;
    }
  }
}

/** Express keeps `locals` if they exist. */
export type GatewayResponse = ServerResponse & { locals: { readonly exchange: Exchange } };
