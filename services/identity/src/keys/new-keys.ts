import { randomBytes, randomUUID } from 'node:crypto';
import {
  type ChangedBy,
  HOUR_MS,
  IDEMPOTENCY_KEY_HOURS,
  identity,
  MINUTE_MS,
  type Replay,
  type RequestOf,
  type Tier,
} from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Transaction } from '../deps.ts';
import type { KeyEnd } from '../domain/api-key.ts';
import { refusedPace } from '../domain/key-limits.ts';
import { earlier } from '../domain/time.ts';
import type { Db } from '../store/database.ts';
import { type AskerLock, lockWithAsker } from './key-changes.ts';
import { findNthNewestKey, findTakenPrefixes, findWorkingKeys } from './store/account-keys.ts';
import { findChangingKey, insertKey, type NewKey } from './store/api-keys.ts';
import { findStoredReply, type ReplyId, type StoredReply, saveReply } from './store/kept-replies.ts';

const NONCE_BYTES = 12;

type KeyFields = Pick<
  NewKey,
  'accountId' | 'personId' | 'name' | 'dailyCreditCap' | 'slot' | 'sessionId' | 'scope'
> & {
  /** A new one by default. */
  readonly id?: string;
};
type Secret = { readonly keyDigest: string; readonly keyPrefix: string };
type Secrets = Pick<RequestOf<typeof identity.createKey>, keyof Secret | 'spares'>;
type KeyRule = (keys: readonly KeyEnd[], tier: Tier, now: Date) => ServiceError | null;

type Pace = { readonly rule: KeyRule; readonly perDay: number };
/** Whose new key it is; null is the first person. */
type Owned = Pick<NewKey, 'personId'>;

/** Throws `key_limit` if the rule or the pace of the person's new keys forbids one more. Requires the account's lock. */
export const checkRoom = async (
  { tx, now }: Transaction,
  { account }: AskerLock,
  { personId }: Owned,
  { rule, perDay }: Pace,
) => {
  const { id: accountId, tier } = account;
  const person = { accountId, id: personId ?? accountId };
  const refusal =
    rule(await findWorkingKeys(tx, accountId, now), tier, now) ??
    refusedPace(await findNthNewestKey(tx, person, perDay), now);
  if (refusal) throw refusal;
};

/** The first secret whose prefix is new to the account. If all prefixes are taken, the first secret: a prefix is only a label. */
const chooseSecret = async (tx: Db, accountId: string, { spares = [], ...first }: Secrets) => {
  if (spares.length === 0) return first;
  const secrets = [first, ...spares];
  const prefixes = secrets.map(({ keyPrefix }) => keyPrefix);
  const takenPrefixes = new Set(await findTakenPrefixes(tx, accountId, prefixes));
  return secrets.find(({ keyPrefix }) => !takenPrefixes.has(keyPrefix)) ?? first;
};

/** Inserts a key whose secret the gateway created, and emits its owner. Resolves to it with the chosen digest. */
export const addKey = async (
  { tx, send, now, vault }: Transaction,
  { accountId, personId, name, dailyCreditCap, slot, id = randomUUID(), ...key }: KeyFields & Secrets,
): Promise<NewKey & Pick<Secret, 'keyDigest'>> => {
  const { sessionId, scope, keyDigest, keyPrefix, spares } = key;
  const secret = await chooseSecret(tx, accountId, { keyDigest, keyPrefix, spares });
  const newKey = {
    ...{ id, accountId, personId, name, dailyCreditCap, slot, createdAt: now },
    ...(sessionId && { sessionId }),
    ...(scope && { scope }),
    prefix: secret.keyPrefix,
    keyedDigest: vault.keyedDigest(secret.keyDigest),
    encryptedDigest: vault.encrypt(secret.keyDigest, id, randomBytes(NONCE_BYTES)),
  };
  await insertKey(tx, newKey);
  const kind = sessionId ? 'dashboard' : scope ? 'app' : 'key';
  const owner = { accountId, personId: personId ?? accountId, kind } as const;
  await send.emit(identity.keyCreated, { ...owner, keyId: id });
  return { ...newKey, keyDigest: secret.keyDigest };
};

/**
 * How long a key that rotated itself may repeat the request: long enough for a client that lost the answer, too short for a thief who
 * guesses Idempotency-Keys.
 */
const REPEAT_OF_ITS_END_MS = 5 * MINUTE_MS;

type RotateKeyRequest = RequestOf<typeof identity.rotateKey>;
type MakeKeyRequest = Pick<RotateKeyRequest, 'accountId' | 'by' | 'name' | 'dailyCreditCap' | 'idempotency'>;

type KeyCreation<Reply extends object> = {
  /** The command, and the id of its subject. */
  readonly operation: string;
  readonly schema: { parse(reply: unknown): Reply };
  /** Runs with the account and the requesting key locked. */
  make(lock: AskerLock): Promise<{ reply: NoInfer<Reply>; keyId: string }>;
};

/** No person gets the answer to another one, which has a key. */
const actorOf = (accountId: string, { keyId, personId }: ChangedBy): string =>
  keyId ?? (personId && personId !== accountId ? personId : 'session');

const toReplyId = ({ accountId, by, idempotency }: MakeKeyRequest, operation: string): ReplyId | null =>
  idempotency === undefined
    ? null
    : { accountId, operation, actor: actorOf(accountId, by), digest: Buffer.from(idempotency.digest, 'hex') };

/** A field that was not sent is absent, which differs from null. */
const textOf = ({ name, dailyCreditCap }: MakeKeyRequest): string => JSON.stringify({ name, dailyCreditCap });

const toReplay = async ({ tx, vault }: Transaction, { nonce, keyId }: StoredReply): Promise<Replay> => {
  const { encryptedDigest } = await findChangingKey(tx, keyId);
  return { nonce, keyDigest: vault.decrypt(encryptedDigest, keyId) };
};

/**
 * Creates a key, or repeats the reply to an earlier request with the same Idempotency-Key. The transaction that creates the key keeps the
 * reply, so a concurrent repeat waits for the account's lock and finds it; rejections are not kept. A key that is ending may repeat its
 * last change for five minutes, and change nothing else. Throws `account_closed`, `invalid_api_key`, `key_is_ending`, and
 * `idempotency_key_reused` for a repeat with another body.
 */
export const makeKeyOnce = async <Reply extends object>(
  transaction: Transaction,
  request: MakeKeyRequest,
  { operation, schema, make }: KeyCreation<Reply>,
): Promise<Reply> => {
  const { tx, now } = transaction;
  const { accountId, idempotency } = request;
  const { refusal, ...lock } = await lockWithAsker(transaction, accountId);
  if (refusal && refusal.code !== 'key_is_ending') throw refusal;
  if (lock.account.status === 'closed') throw serviceError('account_closed');
  const id = toReplyId(request, operation);
  const repeatableMs = refusal ? REPEAT_OF_ITS_END_MS : IDEMPOTENCY_KEY_HOURS * HOUR_MS;
  const stored = id && (await findStoredReply(tx, id, earlier(now, repeatableMs)));
  if (stored && stored.asked !== textOf(request)) throw serviceError('idempotency_key_reused');
  if (stored) return { ...schema.parse(stored.reply), replay: await toReplay(transaction, stored) };
  if (refusal) throw refusal;
  const { reply, keyId } = await make(lock);
  if (id && idempotency)
    await saveReply(tx, id, { asked: textOf(request), nonce: idempotency.nonce, keyId, reply }, now);
  return reply;
};
