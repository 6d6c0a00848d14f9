import { identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps, Transaction } from '../deps.ts';
import { endOfGrace, neverEnding, toApiKey } from '../domain/api-key.ts';
import { KEYS_AND_ROTATIONS_PER_DAY, refusedCapOfRotation, refusedRotation } from '../domain/key-limits.ts';
import { audit, transact } from '../store/transact.ts';
import { forgetKeys } from './forget-principals.ts';
import { type AskerLock, emitKeyChangedById, holderOf, lockOwnKey } from './key-changes.ts';
import { addKey, checkRoom, makeKeyOnce } from './new-keys.ts';
import { replaceKey } from './store/account-keys.ts';
import { findChangingKey } from './store/api-keys.ts';

type RotateKeyRequest = RequestOf<typeof identity.rotateKey>;

/** Only an active key can be rotated. */
const rotate = async (transaction: Transaction, request: RotateKeyRequest, lock: AskerLock) => {
  const { tx, now } = transaction;
  const { accountId, keyId } = request;
  const old = await lockOwnKey(transaction, keyId, lock);
  if (old.revokeAt !== null) throw serviceError('key_revoked');
  const refusal = refusedCapOfRotation(lock.asker, request.dailyCreditCap, old);
  if (refusal) throw refusal;
  await checkRoom(transaction, lock, old, { rule: refusedRotation, perDay: KEYS_AND_ROTATIONS_PER_DAY });
  const { name = old.name, dailyCreditCap = old.dailyCreditCap } = request;
  const fields = { ...request, name, dailyCreditCap, slot: old.slot, personId: old.personId };
  const newKey = await addKey(transaction, fields);
  const end = { replacedBy: newKey.id, revokeAt: endOfGrace(now) };
  const detail = `replaced by ${newKey.id} from ${end.revokeAt.toISOString()}`;
  await audit(transaction, { action: 'key-rotated', accountId, keyId, detail });
  const replacedKey = await replaceKey(tx, keyId, end, now);
  await emitKeyChangedById(transaction, keyId);
  const reply = { key: toApiKey({ ...newKey, ...neverEnding }, now), replaced: toApiKey(replacedKey, now) };
  return { reply, keyId: newKey.id };
};

/** A repeat also repeats what follows the commit, because the first attempt may have died there. */
export const rotateKey = onCommand(identity.rotateKey, async (deps: Deps, request, { requestId, record }) => {
  const { keyId } = request;
  const author = holderOf(request.by, requestId);
  const { rotated, replaced } = await transact(deps, author, async (transaction) => {
    const result = await makeKeyOnce(transaction, request, {
      operation: `rotate-key ${keyId}`,
      schema: identity.rotateKey.reply,
      make: (lock) => rotate(transaction, request, lock),
    });
    return { rotated: result, replaced: await findChangingKey(transaction.tx, keyId) };
  });
  // No projected principal may outlive the grace.
  await forgetKeys(deps, [replaced]);
  const { key, replay } = rotated;
  record.add({ keyId: key.id, replacedKeyId: keyId, isReplay: replay !== undefined });
  return rotated;
});
