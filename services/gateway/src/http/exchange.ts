import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@tds/contracts';
import type { RawQuery } from '@tds/http-api';

/** A credential that may be good; whether it is, others know. */
export type Credential = { readonly kind: 'key' | 'session'; readonly digest: string };

/** What the gateway knows of one request on its way: from here come the headers and the record of every answer. */
export type Exchange = {
  /** Always our own: a caller's X-Request-Id is neither trusted nor echoed. Also the ledger's ref of what the request costs. */
  readonly requestId: string;
  /** By the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** The route's id, or what stands for paths outside the table. */
  route: string;
  query: RawQuery;
  /** As the front door read it; null if it did not look. */
  credential: Credential | null;
  isAuthenticated: boolean;
  accountId: string | null;
  keyId: string | null;
  /** Its handler has been given it: from then on it may have changed something. */
  hasBegun: boolean;
  /** What was charged for it is given back. */
  isDisowned: boolean;
  creditsCharged: number;
  /** What the account can spend: free and purchased credits. Null if nobody could tell. */
  balance: number | null;
  /** Requests per minute, if a per-key rate applies. */
  rateLimit: number | null;
};

const noQuery: RawQuery = Object.freeze(Object.create(null));

export const openExchange = (): Exchange => ({
  requestId: newId(),
  startedAt: performance.now(),
  route: 'unknown',
  query: noQuery,
  credential: null,
  isAuthenticated: false,
  accountId: null,
  keyId: null,
  hasBegun: false,
  isDisowned: false,
  creditsCharged: 0,
  balance: null,
  rateLimit: null,
});

/** A request as Node gives it: nothing here needs what Express adds, but for the parameters of a path. */
export type GatewayRequest = IncomingMessage & {
  readonly method: string;
  readonly url: string;
  readonly params?: Readonly<Record<string, string>>;
};

/** Express leaves `locals` as they are where they are there already. */
export type GatewayResponse = ServerResponse & { locals: { readonly exchange: Exchange } };
