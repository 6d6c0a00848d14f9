import { HOUR_MS, identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { forgetPrincipals } from '../application/forget-principals.ts';
import {
  type AskerLock,
  auditKeyChange,
  emitKeyChangedById,
  endKey,
  holderOf,
  lockForChange,
  requireOwn,
} from '../application/key-changes.ts';
import { addKey, checkRoom, makeKeyOnce } from '../application/new-keys.ts';
import type { Deps, Transaction } from '../deps.ts';
import { neverEnding, statusOf, toApiKey } from '../domain/api-key.ts';
import {
  chooseSlot,
  countLiveKeys,
  keyLimitOf,
  refusedCap,
  refusedCapOfNew,
  refusedNewKey,
  refusedOther,
  sharedSlot,
} from '../domain/key-limits.ts';
import { later } from '../domain/time.ts';
import {
  findKey,
  findRevokedKeys,
  findSlots,
  findWorkingKeys,
  lockKey,
  updateKeyFields,
} from '../store/account-keys.ts';
import { findAccount } from '../store/accounts.ts';

const MAX_REVOKED_KEYS = 100;

export const listKeys = onCommand(identity.listKeys, async ({ db, now }: Deps, { accountId }) => {
  const at = now();
  const [{ tier }, working, revoked] = await Promise.all([
    findAccount(db, accountId),
    findWorkingKeys(db, accountId, at),
    findRevokedKeys(db, accountId, { now: at, limit: MAX_REVOKED_KEYS }),
  ]);
  const keys = [...working, ...revoked].sort(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  );
  return {
    keys: keys.map((key) => toApiKey(key, at)),
    live_keys: countLiveKeys(working, at),
    key_limit: keyLimitOf(tier),
  };
});

type CreateKeyRequest = RequestOf<typeof identity.createKey>;

const create = async (
  deps: Deps,
  transaction: Transaction,
  { by, ...request }: CreateKeyRequest,
  lock: AskerLock,
  requestId: string,
) => {
  const { tx, now } = transaction;
  const { accountId } = request;
  const { account, asker, actor } = lock;
  const { tier } = account;
  const personId = actor.id;
  requireOwn(lock, { personId });
  const refusal = refusedCapOfNew(asker, request.dailyCreditCap);
  if (refusal) throw refusal;
  await checkRoom(tx, { accountId, tier, now }, refusedNewKey);
  const slot = sharedSlot(asker) ?? chooseSlot(await findSlots(tx, accountId, now), tier);
  const key = await addKey(deps, transaction, { ...request, personId, slot });
  const change = { at: now, action: 'key-created', accountId, keyId: key.id, requestId, by } as const;
  await auditKeyChange(tx, change);
  return { reply: { key: toApiKey({ ...key, ...neverEnding }, now) }, keyId: key.id };
};

/** The account's lock serializes new keys, so that the limit is exact. */
export const createKey = onCommand(identity.createKey, async (deps: Deps, request, { requestId, record }) => {
  const now = deps.now();
  const created = await deps.messaging.transaction(deps.db, (tx, send) => {
    const transaction = { tx, send, now };
    return makeKeyOnce(deps, transaction, request, {
      operation: 'create-key',
      schema: identity.createKey.reply,
      make: (lock) => create(deps, transaction, request, lock, requestId),
    });
  });
  record.add({ keyId: created.key.id, isReplay: created.replay !== undefined });
  return created;
});

/** A revoking key still works, so it may be renamed and capped. */
export const updateKey = onCommand(
  identity.updateKey,
  async (deps: Deps, { accountId, by, keyId, name, dailyCreditCap }, { requestId }) => {
    const now = deps.now();
    const fields = {
      ...(name !== undefined && { name }),
      ...(dailyCreditCap !== undefined && { dailyCreditCap }),
    };
    const { key, keyDigest } = await deps.messaging.transaction(deps.db, async (tx, send) => {
      const lock = await lockForChange(tx, { accountId, by, now });
      const { asker } = lock;
      const current = await lockKey(tx, accountId, keyId);
      if (!current) throw serviceError('key_not_found');
      requireOwn(lock, current);
      if (statusOf(current, now) === 'revoked') throw serviceError('key_revoked');
      const refusal = refusedCap(asker, dailyCreditCap, current.dailyCreditCap) ?? refusedOther(asker, current);
      if (refusal) throw refusal;
      const detail = JSON.stringify(fields);
      await auditKeyChange(tx, { at: now, action: 'key-updated', accountId, keyId, requestId, by, detail });
      const updated = await updateKeyFields(tx, keyId, fields, now);
      const digest = await emitKeyChangedById({ tx, send }, deps.vault, keyId);
      return { key: updated, keyDigest: digest };
    });
    // Projected principals contain the cap.
    await forgetPrincipals(deps, [keyDigest]);
    return { key: toApiKey(key, now) };
  },
);

export const revokeKey = onCommand(
  identity.revokeKey,
  async (deps: Deps, { accountId, by, keyId, graceHours }, { requestId, record }) => {
    const now = deps.now();
    const revokeAt = later(now, graceHours * HOUR_MS);
    const end = { keyId, revokeAt, atOnce: graceHours === 0, requestId, ...holderOf(by) };
    const { key, keyDigest } = await deps.messaging.transaction(deps.db, async (tx, send) => {
      const lock = await lockForChange(tx, { accountId, by, now });
      const { asker } = lock;
      const current = await lockKey(tx, accountId, keyId);
      if (!current) throw serviceError('key_not_found');
      requireOwn(lock, current);
      const refusal = refusedOther(asker, current);
      if (refusal) throw refusal;
      const digest = await endKey({ tx, send, now }, deps.vault, end);
      return { key: await findKey(tx, accountId, keyId), keyDigest: digest };
    });
    if (!key) throw serviceError('key_not_found');
    if (keyDigest !== null) await forgetPrincipals(deps, [keyDigest]);
    record.add({ keyId, changed: keyDigest !== null });
    return { key: toApiKey(key, now) };
  },
);
