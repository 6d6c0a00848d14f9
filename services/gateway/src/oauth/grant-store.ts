import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  digestSecret,
  type GrantRecordKind,
  grantRecordKind,
  identity,
  MAX_GRANT_RECORD_LENGTH,
  type RequestOf,
} from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import type { Call } from '@tds/kit';
import type { Adapter, AdapterPayload, errors as Errors } from 'oidc-provider';
import type { Surface } from '../surface.ts';

type CallContext = Parameters<Call<Surface>>[2];

type IssueRequest = RequestOf<typeof identity.issueTokens>;

/** What a request for tokens uses up and makes. */
export type TokenExchange = {
  usedId?: string;
  used?: IssueRequest['used'];
  readonly made: IssueRequest['made'];
};

/** The request that the library works for. */
export type OauthRequest = CallContext & {
  readonly clientAddress: string;
  readonly exchange?: TokenExchange;
};

export type StoreDeps = {
  readonly call: Call<Surface>;
  readonly requests: AsyncLocalStorage<OauthRequest>;
  readonly errors: typeof Errors;
};

/** A client that no one has connected is deleted after a week: apps keep their id and never register again. */
const CLIENT_LIFE_SECONDS = 7 * 86_400;

const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/** The library's error for a refusal of identity: its own errors become answers of the protocol. */
export const toProtocolError = ({ errors }: Pick<StoreDeps, 'errors'>, error: unknown): unknown => {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'invalid_access_token') return new errors.InvalidGrant('the connection has ended');
  const isBusy = error.status === TOO_MANY_REQUESTS;
  const reason = isBusy ? 'too many requests' : 'a part of the service cannot be reached';
  const status = isBusy ? TOO_MANY_REQUESTS : UNAVAILABLE;
  // The library hides errors of the server, but apps need to know that this one passes.
  const fields = { expose: true, error_description: `${reason}; try again in a minute` };
  return Object.assign(new errors.OIDCProviderError(status, 'temporarily_unavailable'), fields);
};

/** What identity does not keep: the library has a session of its own, and every connection is allowed by one of the site. */
const emptyAdapter: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

const findGrantId = (kind: GrantRecordKind, id: string, { grantId }: AdapterPayload): string | null =>
  kind === 'Grant' ? id : (grantId ?? null);

/** What any app sends is stored, so it is bounded. Throws an error of the protocol. */
const toPayload = ({ errors }: StoreDeps, kind: GrantRecordKind, payload: object): string => {
  const text = JSON.stringify(payload);
  if (text.length <= MAX_GRANT_RECORD_LENGTH) return text;
  throw kind === 'Client'
    ? new errors.InvalidClientMetadata('the metadata is too large')
    : new errors.InvalidRequest('the request is too large');
};

/** The records of one kind, in identity's database. The id of a record is a secret: only its digest crosses the bus. */
const createRecords = (deps: StoreDeps, kind: GrantRecordKind): Adapter => {
  const ask = async <Reply>(work: (context: CallContext) => Promise<Reply>): Promise<Reply> => {
    try {
      return await work(deps.requests.getStore() as OauthRequest);
    } catch (error) {
      throw toProtocolError(deps, error);
    }
  };
  const toRecordKey = (id: string) => ({ kind, digest: digestSecret(id) });
  const endGrant = async (grantId: string): Promise<undefined> => {
    await ask((context) => deps.call(identity.endGrant, { grantId }, context));
  };
  return {
    ...emptyAdapter,
    async upsert(id, { jti: _, ...payload }, lifeSeconds = CLIENT_LIFE_SECONDS) {
      const { clientAddress, exchange } = deps.requests.getStore() as OauthRequest;
      const request = {
        ...toRecordKey(id),
        payload: toPayload(deps, kind, payload),
        grantId: findGrantId(kind, id, payload),
        lifeSeconds,
        clientAddress,
        clientDigest: kind === 'RefreshToken' ? digestSecret(String(payload.clientId)) : null,
        ...(kind === 'AccessToken' && payload.scope && { scope: String(payload.scope) }),
      };
      if (exchange) exchange.made.push(request);
      else await ask((context) => deps.call(identity.saveGrantRecord, request, context));
    },
    async find(id) {
      const { found: record } = await ask((context) =>
        deps.call(identity.findGrantRecord, toRecordKey(id), context),
      );
      if (record === null) return undefined;
      // Not whether it is used: identity decides what a second use is.
      const idField = kind === 'Client' ? {} : { jti: id };
      return { ...(JSON.parse(record.payload) as AdapterPayload), ...idField };
    },
    async consume(id) {
      const { exchange } = deps.requests.getStore() as OauthRequest;
      Object.assign(exchange as TokenExchange, { usedId: id, used: toRecordKey(id) });
    },
    async destroy(id) {
      if (kind === 'Grant') return endGrant(id);
      await ask((context) => deps.call(identity.deleteGrantRecord, toRecordKey(id), context));
    },
    revokeByGrantId: endGrant,
  };
};

/** The library's store, by the names of its models. */
export const createGrantStore =
  (deps: StoreDeps) =>
  (model: string): Adapter => {
    const kind = grantRecordKind.safeParse(model);
    return kind.success ? createRecords(deps, kind.data) : emptyAdapter;
  };
