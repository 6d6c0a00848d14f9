import {
  KEY_GRACE_HOURS,
  type RequestOf,
  type rotateKey as rotateKeyCommand,
  serviceError,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { limitIdOf, type StoredKey, toApiKey } from '../domain/api-key.ts';
import { refusedCapOfRotation } from '../domain/daily-cap.ts';
import { refusedRotation } from '../domain/key-limit.ts';
import { HOUR_MS, later } from '../domain/time.ts';
import { auditKeyChange } from '../operations/audit-key-change.ts';
import { checkRoom } from '../operations/check-room.ts';
import { chooseSecret } from '../operations/choose-secret.ts';
import { forgetPrincipals } from '../operations/forget-principals.ts';
import { lockForChange } from '../operations/lock-for-change.ts';
import { newKey } from '../operations/new-key.ts';
import { tellKeyChange } from '../operations/tell-key-change.ts';
import { lockKey, replaceKey } from '../store/account-keys.ts';
import { findChangingKey, insertKey } from '../store/api-keys.ts';
import type { Db } from '../store/prisma-client.ts';
import type { IdentityHandlers } from '../surface.ts';

type Rotation = RequestOf<typeof rotateKeyCommand>;

/** The key, with its account locked. Only an active key can be rotated: every other one is on its way out already. */
const lockRotatable = async (tx: Db, given: Rotation, now: Date): Promise<StoredKey> => {
  const { accountId, keyId, by } = given;
  const { account, asker } = await lockForChange(tx, { accountId, by, now });
  const { status, tier } = account;
  if (status === 'closed') throw serviceError('account_closed');
  const key = await lockKey(tx, accountId, keyId);
  if (!key) throw serviceError('key_not_found');
  if (key.revokeAt !== null) throw serviceError('key_revoked');
  const refusal = refusedCapOfRotation(asker, given.dailyCreditCap, key);
  if (refusal) throw refusal;
  await checkRoom(tx, { accountId, tier, now }, refusedRotation);
  return key;
};

export const rotateKey =
  (deps: Deps): IdentityHandlers['commands']['rotate-key'] =>
  async (given, { requestId, record }) => {
    const now = deps.now();
    const { accountId, keyId, by } = given;
    const { key, replaced, keyDigest } = await deps.messaging.transaction(deps.db, async (tx, send) => {
      const old = await lockRotatable(tx, given, now);
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
      const digest = await tellKeyChange({ send }, deps.vault, await findChangingKey(tx, keyId));
      return { key: added, replaced: ended, keyDigest: digest };
    });
    // No projected entry may outlive the end of the grace.
    await forgetPrincipals(deps, [keyDigest]);
    record.add({ keyId: key.id, replacedKeyId: keyId });
    const untouched = { lastUsedAt: null, revokeAt: null, replacedBy: null };
    return { key: toApiKey({ ...key, ...untouched }, now), replaced: toApiKey(replaced, now) };
  };
