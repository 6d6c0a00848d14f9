import { randomBytes, randomUUID } from 'node:crypto';
import { identity, type RequestOf, type ServiceError, type Tier } from '@tds/contracts';
import type { CoreDeps, Transaction } from '../deps.ts';
import type { KeyEnd } from '../domain/api-key.ts';
import { NEW_KEYS_PER_DAY, refusedPace } from '../domain/key-limit.ts';
import { findNthNewestKey, findTakenPrefixes, findWorkingKeys } from '../store/account-keys.ts';
import { insertKey, type NewKey } from '../store/api-keys.ts';
import type { Db } from '../store/database.ts';

const NONCE_BYTES = 12;

type KeyFields = Pick<NewKey, 'accountId' | 'name' | 'dailyCreditCap'> & {
  readonly slot: number;
};
type Secret = { readonly keyDigest: string; readonly keyPrefix: string };
type Secrets = Pick<RequestOf<typeof identity.createKey>, keyof Secret | 'spares'>;
type Room = { readonly accountId: string; readonly tier: Tier; readonly now: Date };
type Rule = (keys: readonly KeyEnd[], tier: Tier, now: Date) => ServiceError | null;

/**
 * Throws `key_limit` if the rule or the pace of new keys forbids one more. Like everything here it relies on the caller holding
 * the account's row locked.
 */
export const checkRoom = async (tx: Db, { accountId, tier, now }: Room, rule: Rule): Promise<void> => {
  const refusal =
    rule(await findWorkingKeys(tx, accountId, now), tier, now) ??
    refusedPace(await findNthNewestKey(tx, accountId, NEW_KEYS_PER_DAY), now);
  if (refusal) throw refusal;
};

/** The first secret whose prefix no other key of the account has. If all are taken, the first: a prefix is only a label. */
const chooseSecret = async (
  tx: Db,
  accountId: string,
  { spares = [], ...first }: Secrets,
): Promise<Secret> => {
  if (spares.length === 0) return first;
  const secrets = [first, ...spares];
  const prefixes = secrets.map(({ keyPrefix }) => keyPrefix);
  const taken = new Set(await findTakenPrefixes(tx, accountId, prefixes));
  return secrets.find(({ keyPrefix }) => !taken.has(keyPrefix)) ?? first;
};

/** Adds the row of a key whose secret the gateway made, and says whose it is. */
export const addKey = async (
  { vault }: Pick<CoreDeps, 'vault'>,
  { tx, send, now }: Transaction,
  { accountId, name, dailyCreditCap, slot, ...given }: KeyFields & Secrets,
): Promise<NewKey> => {
  const { keyDigest, keyPrefix, spares } = given;
  const secret = await chooseSecret(tx, accountId, { keyDigest, keyPrefix, spares });
  const id = randomUUID();
  const key = {
    id,
    accountId,
    name,
    dailyCreditCap,
    slot,
    prefix: secret.keyPrefix,
    keyedDigest: vault.keyedDigest(secret.keyDigest),
    sealedDigest: vault.seal(secret.keyDigest, id, randomBytes(NONCE_BYTES)),
    createdAt: now,
  };
  await insertKey(tx, key);
  await send.emit(identity.keyCreated, { accountId, keyId: id });
  return key;
};
