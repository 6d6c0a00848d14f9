import { hkdfSync, randomUUID } from 'node:crypto';
import {
  type ApiKey,
  createApiKey,
  digestSecret,
  displayPrefix,
  identity,
  type Replay,
  type ReplyOf,
  type RequestOf,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { routes } from '@tds/http-api';
import type { RouteDeps } from './route-deps.ts';
import type { Input } from './route-handler.ts';

/** Three characters of a prefix are random, so one of these prefixes is new to the account. */
const SECRETS_TO_CHOOSE_FROM = 4;

type SecretFields = Pick<
  RequestOf<typeof identity.createKey>,
  'keyDigest' | 'keyPrefix' | 'spares' | 'idempotency'
>;
type KeyReply = { readonly key: ApiKey; readonly replay?: Replay | undefined };

export type NewSecrets = {
  /** Digests and prefixes for identity, which takes one of them. */
  readonly secretFields: SecretFields;
  /** The secret of the key, created now or by the request that this one repeats. Throws `replay_not_possible`. */
  getSecret(reply: KeyReply): string;
  /** Marks the answer as a repeat. */
  repeatHeaders(reply: Pick<KeyReply, 'replay'>): { readonly 'Idempotency-Replayed'?: 'true' };
};

type DashboardRequest = RequestOf<typeof identity.createDashboardKey>;

/** The secret of a session's key: derived from the session and the key's id, so that every request of the session gets it. */
type SessionSecrets = {
  readonly secretFields: Omit<DashboardRequest, 'accountId' | 'sessionDigest' | 'clientAddress' | 'replaces'>;
  /** Undefined if another `replaySecret` derived it. */
  getSecret(reply: ReplyOf<typeof identity.createDashboardKey>): string | undefined;
};

/** Two requests with the same scope are the same request. */
export type RepeatScope = {
  readonly accountId: string;
  readonly actingKeyId: string | null;
  readonly operation: string;
  readonly idempotencyKey: string | null;
};

type ByPrefix = ReadonlyMap<string, string>;

const createCandidates = (make: (turn: number) => string): ByPrefix => {
  const byPrefix = new Map<string, string>();
  for (let turn = 0; byPrefix.size < SECRETS_TO_CHOOSE_FROM; turn += 1) {
    const secret = make(turn);
    byPrefix.set(displayPrefix(secret), secret);
  }
  return byPrefix;
};

const toSecretFields = (byPrefix: ByPrefix): SecretFields => {
  const [first, ...spares] = [...byPrefix].map(([keyPrefix, secret]) => ({
    keyPrefix,
    keyDigest: digestSecret(secret),
  }));
  return { ...(first as (typeof spares)[number]), spares };
};

const repeatHeaders: NewSecrets['repeatHeaders'] = ({ replay }) =>
  replay ? { 'Idempotency-Replayed': 'true' } : {};

const randomSecrets = (): NewSecrets => {
  const byPrefix = createCandidates(() => createApiKey());
  return {
    secretFields: toSecretFields(byPrefix),
    getSecret: ({ key }) => byPrefix.get(key.prefix) as string,
    repeatHeaders,
  };
};

const derive = (replaySecret: string, scope: RepeatScope, nonce: string): ByPrefix => {
  const { accountId, actingKeyId, operation, idempotencyKey } = scope;
  return createCandidates((turn) => {
    // JSON keeps different scopes distinct.
    const info = JSON.stringify([accountId, actingKeyId, operation, idempotencyKey, turn]);
    return createApiKey((size) =>
      Buffer.from(hkdfSync('sha256', replaySecret, nonce, `gateway/key-secret ${info}`, size)),
    );
  });
};

/**
 * Creates the secrets of new keys, which exist in the answer only. With an Idempotency-Key they are derived from
 * `replaySecret`, the scope and a nonce that identity keeps of the first request, so that a repeat derives them again.
 */
export const createSecrets = (replaySecret: string, scope: RepeatScope): NewSecrets => {
  const { idempotencyKey } = scope;
  if (idempotencyKey === null) return randomSecrets();
  const idempotency = { digest: digestSecret(idempotencyKey), nonce: randomUUID() };
  const secrets = derive(replaySecret, scope, idempotency.nonce);
  const getSecret = ({ key, replay }: KeyReply): string => {
    if (replay === undefined) return secrets.get(key.prefix) as string;
    const earlierSecrets = [...derive(replaySecret, scope, replay.nonce).values()];
    const secret = earlierSecrets.find((one) => digestSecret(one) === replay.keyDigest);
    // The first request used another replay secret.
    if (secret === undefined) throw serviceError('replay_not_possible');
    return secret;
  };
  return { secretFields: { ...toSecretFields(secrets), idempotency }, getSecret, repeatHeaders };
};

export const createSessionSecrets = (
  replaySecret: string,
  accountId: string,
  sessionDigest: string,
): SessionSecrets => {
  const scope = { accountId, actingKeyId: null, operation: 'dashboard-key', idempotencyKey: sessionDigest };
  const keyId = randomUUID();
  return {
    secretFields: { keyId, ...toSecretFields(derive(replaySecret, scope, keyId)) },
    getSecret: ({ key, keyDigest }) =>
      [...derive(replaySecret, scope, key.id).values()].find((one) => digestSecret(one) === keyDigest),
  };
};

/** The key of a caller; a session has one for its work, whose person's cap holds. */
export const workKeyOf = async (
  { call, config }: Pick<RouteDeps, 'call' | 'config'>,
  {
    principal: { accountId, keyId },
    credentialDigest,
    clientAddress,
    callContext,
  }: Pick<
    Input<typeof routes.changeMonitor>,
    'principal' | 'credentialDigest' | 'clientAddress' | 'callContext'
  >,
): Promise<string> => {
  if (keyId !== null) return keyId;
  const { secretFields } = createSessionSecrets(config.replaySecret.reveal(), accountId, credentialDigest);
  const request = { accountId, sessionDigest: credentialDigest, clientAddress, ...secretFields };
  return (await call(identity.createDashboardKey, request, callContext)).key.id;
};
