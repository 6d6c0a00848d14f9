import { identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { forgetKeys } from '../application/forget-principals.ts';
import { auditKeyChange, emitKeyChangedOf, type LockedAsker } from '../application/key-changes.ts';
import { addKey, checkRoom, makeKeyOnce } from '../application/new-keys.ts';
import type { Deps, Transaction } from '../deps.ts';
import { endOfGrace, neverEnding, type StoredKey, toApiKey } from '../domain/api-key.ts';
import { refusedCapOfRotation, refusedRotation } from '../domain/key-limits.ts';
import { lockKey, replaceKey } from '../store/account-keys.ts';
import { findChangingKey } from '../store/api-keys.ts';

type RotateKeyRequest = RequestOf<typeof identity.rotateKey>;

/** Locks the key. Only an active key can be rotated. */
const lockRotatable = async (
  { tx, now }: Transaction,
  given: RotateKeyRequest,
  { account: { tier }, asker }: LockedAsker,
): Promise<StoredKey> => {
  const { accountId, keyId } = given;
  const key = await lockKey(tx, accountId, keyId);
  if (!key) throw serviceError('key_not_found');
  if (key.revokeAt !== null) throw serviceError('key_revoked');
  const refusal = refusedCapOfRotation(asker, given.dailyCreditCap, key);
  if (refusal) throw refusal;
  await checkRoom(tx, { accountId, tier, now }, refusedRotation);
  return key;
};

const rotate = async (
  deps: Deps,
  work: Transaction,
  given: RotateKeyRequest,
  held: LockedAsker,
  requestId: string,
) => {
  const { tx, now } = work;
  const { accountId, keyId, by } = given;
  const old = await lockRotatable(work, given, held);
  const { name = old.name, dailyCreditCap = old.dailyCreditCap } = given;
  const fields = { ...given, name, dailyCreditCap, slot: old.slot };
  const added = await addKey(deps, work, fields);
  const end = { replacedBy: added.id, revokeAt: endOfGrace(now) };
  const detail = `replaced by ${added.id} from ${end.revokeAt.toISOString()}`;
  await auditKeyChange(tx, { at: now, action: 'key-rotated', accountId, keyId, requestId, by, detail });
  const ended = await replaceKey(tx, keyId, end, now);
  await emitKeyChangedOf(work, deps.vault, keyId);
  const reply = { key: toApiKey({ ...added, ...neverEnding }, now), replaced: toApiKey(ended, now) };
  return { reply, keyId: added.id };
};

/** A repeat also repeats what follows the commit, because the first attempt may have died there. */
export const rotateKey = onCommand(identity.rotateKey, async (deps: Deps, given, { requestId, record }) => {
  const now = deps.now();
  const { keyId } = given;
  const { rotated, replaced } = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const work = { tx, send, now };
    const done = await makeKeyOnce(deps, work, given, {
      operation: `rotate-key ${keyId}`,
      schema: identity.rotateKey.reply,
      make: (held) => rotate(deps, work, given, held, requestId),
    });
    return { rotated: done, replaced: await findChangingKey(tx, keyId) };
  });
  // No projected principal may outlive the grace.
  await forgetKeys(deps, [replaced]);
  const { key, replay } = rotated;
  record.add({ keyId: key.id, replacedKeyId: keyId, isReplay: replay !== undefined });
  return rotated;
});
