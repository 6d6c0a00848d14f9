import { identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { forgetKeys } from '../application/forget-principals.ts';
import { type AskerLock, auditKeyChange, emitKeyChangedById, requireOwn } from '../application/key-changes.ts';
import { addKey, checkRoom, makeKeyOnce } from '../application/new-keys.ts';
import type { Deps, Transaction } from '../deps.ts';
import { endOfGrace, neverEnding, toApiKey } from '../domain/api-key.ts';
import { refusedCapOfRotation, refusedRotation } from '../domain/key-limits.ts';
import { lockKey, replaceKey } from '../store/account-keys.ts';
import { findChangingKey } from '../store/api-keys.ts';

type RotateKeyRequest = RequestOf<typeof identity.rotateKey>;

/** Locks the key. Only an active key can be rotated. */
const lockRotatable = async ({ tx, now }: Transaction, request: RotateKeyRequest, lock: AskerLock) => {
  const { accountId, keyId } = request;
  const { account, asker } = lock;
  const { tier } = account;
  const key = await lockKey(tx, accountId, keyId);
  if (!key) throw serviceError('key_not_found');
  requireOwn(lock, key);
  if (key.revokeAt !== null) throw serviceError('key_revoked');
  const refusal = refusedCapOfRotation(asker, request.dailyCreditCap, key);
  if (refusal) throw refusal;
  await checkRoom(tx, { accountId, tier, now }, refusedRotation);
  return key;
};

const rotate = async (
  deps: Deps,
  transaction: Transaction,
  request: RotateKeyRequest,
  lock: AskerLock,
  requestId: string,
) => {
  const { tx, now } = transaction;
  const { accountId, keyId, by } = request;
  const old = await lockRotatable(transaction, request, lock);
  const { name = old.name, dailyCreditCap = old.dailyCreditCap } = request;
  const fields = { ...request, name, dailyCreditCap, slot: old.slot, personId: old.personId };
  const newKey = await addKey(deps, transaction, fields);
  const end = { replacedBy: newKey.id, revokeAt: endOfGrace(now) };
  const detail = `replaced by ${newKey.id} from ${end.revokeAt.toISOString()}`;
  await auditKeyChange(tx, { at: now, action: 'key-rotated', accountId, keyId, requestId, by, detail });
  const replacedKey = await replaceKey(tx, keyId, end, now);
  await emitKeyChangedById(transaction, deps.vault, keyId);
  const reply = { key: toApiKey({ ...newKey, ...neverEnding }, now), replaced: toApiKey(replacedKey, now) };
  return { reply, keyId: newKey.id };
};

/** A repeat also repeats what follows the commit, because the first attempt may have died there. */
export const rotateKey = onCommand(identity.rotateKey, async (deps: Deps, request, { requestId, record }) => {
  const now = deps.now();
  const { keyId } = request;
  const { rotated, replaced } = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const transaction = { tx, send, now };
    const result = await makeKeyOnce(deps, transaction, request, {
      operation: `rotate-key ${keyId}`,
      schema: identity.rotateKey.reply,
      make: (lock) => rotate(deps, transaction, request, lock, requestId),
    });
    return { rotated: result, replaced: await findChangingKey(tx, keyId) };
  });
  // No projected principal may outlive the grace.
  await forgetKeys(deps, [replaced]);
  const { key, replay } = rotated;
  record.add({ keyId: key.id, replacedKeyId: keyId, isReplay: replay !== undefined });
  return rotated;
});
