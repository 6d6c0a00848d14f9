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

const randomSecrets = (): NewSecrets => {
  const byPrefix = createCandidates(() => createApiKey());
  return {
    secretFields: toSecretFields(byPrefix),
    getSecret: ({ key }) => byPrefix.get(key.prefix) as string,
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
  return { secretFields: { ...toSecretFields(secrets), idempotency }, getSecret };
};

/**
 * Proposes the key of a session. Its secret is derived from the session and the key's id, so that every request of the session
 * gets it; undefined if another `replaySecret` derived it.
 */
export const createSessionSecrets = (replaySecret: string, accountId: string, sessionDigest: string) => {
  const scope = { accountId, actingKeyId: null, operation: 'dashboard-key', idempotencyKey: sessionDigest };
  const keyId = randomUUID();
  return {
    secretFields: { keyId, ...toSecretFields(derive(replaySecret, scope, keyId)) },
    getSecret: ({ key, keyDigest }: Pick<ReplyOf<typeof identity.createDashboardKey>, 'key' | 'keyDigest'>) =>
      [...derive(replaySecret, scope, key.id).values()].find((secret) => digestSecret(secret) === keyDigest),
  };
};

type Deps = Pick<RouteDeps, 'call' | 'config'>;
type SessionInput = Pick<
  Input<typeof routes.changeMonitor>,
  'principal' | 'credentialDigest' | 'clientAddress' | 'callContext'
>;

/** Asks identity for the key of a session, in the place of the one with the id `replaces`. */
export const askForSessionKey = async (
  { call, config }: Deps,
  { principal: { accountId }, credentialDigest: sessionDigest, clientAddress, callContext }: SessionInput,
  replaces?: string,
) => {
  const secrets = createSessionSecrets(config.replaySecret.reveal(), accountId, sessionDigest);
  const caller = { accountId, sessionDigest, clientAddress, ...(replaces && { replaces }) };
  const reply = await call(identity.createDashboardKey, { ...caller, ...secrets.secretFields }, callContext);
  return { key: reply.key, secret: secrets.getSecret(reply) };
};

/** The key of a caller; a session has one for its work, whose person's cap holds. */
export const workKeyOf = async (deps: Deps, input: SessionInput): Promise<string> =>
  input.principal.keyId ?? (await askForSessionKey(deps, input)).key.id;
