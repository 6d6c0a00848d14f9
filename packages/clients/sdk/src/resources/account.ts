import type {
  Account,
  Answer,
  ApiKey,
  AppConnection,
  Body,
  LedgerPage,
  LedgerRow,
  LoggedRequest,
  NewApiKey,
  Purchase,
  Query,
  UsageDays,
} from '../api.ts';
import { type Connection, type CreateOptions, queryCall, type RequestOptions } from '../connection.ts';
import { createList, type Pages } from '../pages.ts';

const atKey = (id: string) => `/v1/keys/${encodeURIComponent(id)}`;

export const account = (connection: Connection) => ({
  /** Credits, tier, limits, usage of today and keys. */
  get: (options: RequestOptions = {}): Promise<Account> => connection.json({ ...options, path: '/v1/account' }),
});

export const keys = (connection: Connection) => ({
  list: async (options: RequestOptions = {}): Promise<readonly ApiKey[]> =>
    (await connection.json<Answer<'listKeys'>>({ ...options, path: '/v1/keys' })).keys,

  /** The answer has the `secret`, once. */
  create: async (body: Body<'createKey'>, options: CreateOptions = {}): Promise<NewApiKey> =>
    (await connection.create<Answer<'createKey', 201>>({ ...options, path: '/v1/keys', body })).key,

  update: async (id: string, body: Body<'updateKey'>, options: RequestOptions = {}): Promise<ApiKey> =>
    (await connection.json<Answer<'updateKey'>>({ ...options, method: 'POST', path: atKey(id), body })).key,

  /** At once, or with `grace_period_hours: 24`. */
  revoke: async (id: string, body: Body<'revokeKey'> = {}, options: RequestOptions = {}): Promise<ApiKey> =>
    (await connection.json<Answer<'revokeKey'>>({ ...options, method: 'DELETE', path: atKey(id), body })).key,

  /** Replaces a key; the old one works for 24 hours more. */
  rotate: (
    id: string,
    body: Body<'rotateKey'> = {},
    options: CreateOptions = {},
  ): Promise<Answer<'rotateKey', 201>> => connection.create({ ...options, path: `${atKey(id)}/rotate`, body }),
});

export const connections = (connection: Connection) => ({
  /** The apps that the holder has connected. */
  list: async (options: RequestOptions = {}): Promise<readonly AppConnection[]> =>
    (await connection.json<Answer<'listConnections'>>({ ...options, path: '/v1/connections' })).connections,

  /** Disconnects an app; its jobs pause. */
  end: async (id: string, options: RequestOptions = {}): Promise<AppConnection> =>
    (
      await connection.json<Answer<'endConnection'>>({
        ...options,
        ...{ method: 'DELETE', path: `/v1/connections/${encodeURIComponent(id)}` },
      })
    ).connection,
});

type Days = Pick<Query<'getUsage'>, 'from' | 'to' | 'key_id' | 'person_id' | 'via'> & RequestOptions;
type Ledger = Pick<Query<'getUsage'>, 'key_id' | 'job_id' | 'limit'> & RequestOptions;
const path = '/v1/usage';

export const usage = (connection: Connection) => ({
  /** Use by UTC day and key, of the last 30 days by default. */
  days: (options: Days = {}): Promise<UsageDays> => connection.json(queryCall(path, options)),

  csv: (options: Days = {}): Promise<string> => connection.text(queryCall(`${path}?format=csv`, options)),

  /** Changes of the balance, newest first. New entries shift nothing while you read. */
  ledger: (options: Ledger = {}): Pages<LedgerRow, LedgerPage> =>
    createList(connection, `${path}?resource=ledger`, 'rows', options),
});

export const requests = (connection: Connection) => ({
  /** Requests of the last seven days that were charged or failed, newest first. */
  list: (options: Query<'listRequests'> & RequestOptions = {}): Pages<LoggedRequest, Answer<'listRequests'>> =>
    createList(connection, '/v1/requests', 'requests', options),

  /** The request with this id: `requestId` of an error, X-Request-Id of an answer. */
  get: async (id: string, options: RequestOptions = {}): Promise<LoggedRequest> =>
    (
      await connection.json<Answer<'getRequest'>>({
        ...options,
        path: `/v1/requests/${encodeURIComponent(id)}`,
      })
    ).request,
});

export const billing = (connection: Connection) => ({
  prices: (options: RequestOptions = {}): Promise<Answer<'listPrices'>> =>
    connection.json({ ...options, path: '/v1/checkout' }),

  /** The answer has `checkout_url`, the page to pay on. */
  checkout: (block: number, options: CreateOptions = {}): Promise<Answer<'checkout', 201>> =>
    connection.create({ ...options, path: '/v1/checkout', body: { block } }),

  /** Returns the money of a purchase of which nothing is used. */
  refund: (
    purchaseId: string,
    reason?: string,
    options: CreateOptions = {},
  ): Promise<Answer<'checkout', 202>> =>
    connection.create({
      ...options,
      path: '/v1/checkout?action=refund',
      body: { purchase_id: purchaseId, reason },
    }),

  purchases: (options: RequestOptions = {}): Pages<Purchase, Answer<'listPurchases'>> =>
    createList(connection, '/v1/billing/purchases', 'purchases', options),

  portal: async (options: RequestOptions = {}): Promise<string> =>
    (await connection.json<Answer<'openPortal'>>({ ...options, path: '/v1/billing/portal' })).url,
});
