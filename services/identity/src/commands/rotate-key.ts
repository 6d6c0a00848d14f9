import { identity, KEY_GRACE_HOURS, type RequestOf, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { limitIdOf, type StoredKey, toApiKey } from '../domain/api-key.ts';
import { refusedCapOfRotation } from '../domain/daily-cap.ts';
import { refusedRotation } from '../domain/key-limit.ts';
import { HOUR_MS, later } from '../domain/time.ts';
import { auditKeyChange } from '../operations/audit-key-change.ts';
import { changeOnce } from '../operations/change-once.ts';
import { checkRoom } from '../operations/check-room.ts';
import { chooseSecret } from '../operations/choose-secret.ts';
import { forgetKeys } from '../operations/forget-principals.ts';
import type { Held } from '../operations/lock-for-change.ts';
import { newKey } from '../operations/new-key.ts';
import { tellKeyChange } from '../operations/tell-key-change.ts';
import type { OperationWork } from '../operations/work.ts';
import { lockKey, replaceKey } from '../store/account-keys.ts';
import { findChangingKey, insertKey } from '../store/api-keys.ts';
import type { Db } from '../store/prisma-client.ts';

type Rotation = RequestOf<typeof identity.rotateKey>;

type When = { readonly requestId: string; readonly now: Date };

/** The key, locked. Only an active key can be rotated: every other one is on its way out already. */
const lockRotatable = async (
  tx: Db,
  given: Rotation,
  { account: { tier }, asker }: Held,
  now: Date,
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
  { tx, send }: Pick<OperationWork, 'tx' | 'send'>,
  given: Rotation,
  held: Held,
  { requestId, now }: When,
) => {
  const { accountId, keyId, by } = given;
  const old = await lockRotatable(tx, given, held, now);
  const { name = old.name, dailyCreditCap = old.dailyCreditCap } = given;
  const added = newKey(
    deps,
    { ...given, ...(await chooseSecret(tx, given)), name, dailyCreditCap, limitId: limitIdOf(old) },
    now,
  );
  await insertKey(tx, added);
  const end = { replacedBy: added.id, revokeAt: later(now, KEY_GRACE_HOURS * HOUR_MS) };
  const detail = `replaced by ${added.id} from ${end.revokeAt.toISOString()}`;
  await auditKeyChange(tx, { at: now, action: 'key-rotated', accountId, keyId, requestId, by, detail });
  const ended = await replaceKey(tx, keyId, end, now);
  await tellKeyChange({ send }, deps.vault, await findChangingKey(tx, keyId));
  const untouched = { lastUsedAt: null, revokeAt: null, replacedBy: null };
  const reply = { key: toApiKey({ ...added, ...untouched }, now), replaced: toApiKey(ended, now) };
  return { reply, keyId: added.id };
};

/** A repeat does again what comes after the commit: the first try may have died there. */
export const rotateKey = onCommand(identity.rotateKey, async (deps: Deps, given, { requestId, record }) => {
  const now = deps.now();
  const { keyId } = given;
  const { rotated, replaced } = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const done = await changeOnce(deps, tx, given, now, {
      operation: `rotate-key ${keyId}`,
      schema: identity.rotateKey.reply,
      make: (held) => rotate(deps, { tx, send }, given, held, { requestId, now }),
    });
    return { rotated: done, replaced: await findChangingKey(tx, keyId) };
  });
  // No projected entry may outlive the end of the grace.
  await forgetKeys(deps, [replaced]);
  const { key, replay } = rotated;
  record.add({ keyId: key.id, replacedKeyId: keyId, isReplay: replay !== undefined });
  return rotated;
});
