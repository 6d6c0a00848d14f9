import { HOUR_MS, identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps, Transaction } from '../deps.ts';
import { neverEnding, statusOf, toApiKey } from '../domain/api-key.ts';
import {
  chooseSlot,
  countLiveKeys,
  keyLimitOf,
  NEW_KEYS_PER_DAY,
  refusedCap,
  refusedCapOfNew,
  refusedNewKey,
  refusedOther,
  sharedSlot,
} from '../domain/key-limits.ts';
import { later } from '../domain/time.ts';
import { findAccount } from '../store/accounts.ts';
import { audit, transact } from '../store/transact.ts';
import { forgetPrincipals } from './forget-principals.ts';
import {
  type AskerLock,
  emitKeyChangedById,
  endKey,
  holderOf,
  lockForChange,
  lockOwnKey,
  requireOwn,
} from './key-changes.ts';
import { addKey, checkRoom, makeKeyOnce } from './new-keys.ts';
import { findKey, findRevokedKeys, findSlots, findWorkingKeys, updateKeyFields } from './store/account-keys.ts';

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

const create = async (
  transaction: Transaction,
  request: RequestOf<typeof identity.createKey>,
  lock: AskerLock,
) => {
  const { tx, now } = transaction;
  const { accountId } = request;
  const { account, asker } = lock;
  const { id: personId } = lock.actor;
  requireOwn(lock, { personId });
  const refusal = refusedCapOfNew(asker, request.dailyCreditCap);
  if (refusal) throw refusal;
  await checkRoom(transaction, lock, { personId }, { rule: refusedNewKey, perDay: NEW_KEYS_PER_DAY });
  const slot = sharedSlot(asker) ?? chooseSlot(await findSlots(tx, accountId, now), account.tier);
  const key = await addKey(transaction, { ...request, personId, slot });
  await audit(transaction, { action: 'key-created', accountId, keyId: key.id });
  return { reply: { key: toApiKey({ ...key, ...neverEnding }, now) }, keyId: key.id };
};

/** The account's lock serializes new keys, so that the limit is exact. */
export const createKey = onCommand(identity.createKey, async (deps: Deps, request, { requestId, record }) => {
  const created = await transact(deps, holderOf(request.by, requestId), (transaction) =>
    makeKeyOnce(transaction, request, {
      operation: 'create-key',
      schema: identity.createKey.reply,
      make: (lock) => create(transaction, request, lock),
    }),
  );
  record.add({ keyId: created.key.id, isReplay: created.replay !== undefined });
  return created;
});

/** A revoking key still works, so it may be renamed and capped. */
export const updateKey = onCommand(
  identity.updateKey,
  async (deps: Deps, { accountId, by, keyId, name, dailyCreditCap }, { requestId }) => {
    const fields = {
      ...(name !== undefined && { name }),
      ...(dailyCreditCap !== undefined && { dailyCreditCap }),
    };
    const { key, keyDigest } = await transact(deps, holderOf(by, requestId), async (transaction) => {
      const { tx, now } = transaction;
      const lock = await lockForChange(transaction, accountId);
      const current = await lockOwnKey(transaction, keyId, lock);
      if (statusOf(current, now) === 'revoked') throw serviceError('key_revoked');
      const { asker } = lock;
      const refusal = refusedCap(asker, dailyCreditCap, current.dailyCreditCap) ?? refusedOther(asker, current);
      if (refusal) throw refusal;
      await audit(transaction, { action: 'key-updated', accountId, keyId, detail: JSON.stringify(fields) });
      const updated = await updateKeyFields(tx, keyId, fields, now);
      return { key: toApiKey(updated, now), keyDigest: await emitKeyChangedById(transaction, keyId) };
    });
    // Projected principals contain the cap.
    await forgetPrincipals(deps, [keyDigest]);
    return { key };
  },
);

export const revokeKey = onCommand(
  identity.revokeKey,
  async (deps: Deps, { accountId, by, keyId, graceHours }, { requestId, record }) => {
    const { key, keyDigest } = await transact(deps, holderOf(by, requestId), async (transaction) => {
      const { tx, now } = transaction;
      const lock = await lockForChange(transaction, accountId);
      const current = await lockOwnKey(transaction, keyId, lock);
      const refusal = refusedOther(lock.asker, current);
      if (refusal) throw refusal;
      const end = { keyId, revokeAt: later(now, graceHours * HOUR_MS), atOnce: graceHours === 0 };
      const digest = await endKey(transaction, end);
      const ended = (await findKey(tx, accountId, keyId)) ?? current;
      return { key: toApiKey(ended, now), keyDigest: digest };
    });
    if (keyDigest !== null) await forgetPrincipals(deps, [keyDigest]);
    record.add({ keyId, changed: keyDigest !== null });
    return { key };
  },
);
