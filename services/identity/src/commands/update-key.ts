import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { forgetPrincipals } from '../application/forget-principals.ts';
import { auditKeyChange, emitKeyChangedOf } from '../application/key-changes.ts';
import { lockForChange } from '../application/lock-for-change.ts';
import type { Deps } from '../deps.ts';
import { statusOf, toApiKey } from '../domain/api-key.ts';
import { refusedCap } from '../domain/daily-cap.ts';
import { lockKey, updateKeyFields } from '../store/account-keys.ts';

/** A key that is revoking still works, so it may still be renamed and capped. */
export const updateKey = onCommand(
  identity.updateKey,
  async (deps: Deps, { accountId, by, keyId, name, dailyCreditCap }, { requestId }) => {
    const now = deps.now();
    const changed = {
      ...(name !== undefined && { name }),
      ...(dailyCreditCap !== undefined && { dailyCreditCap }),
    };
    const { key, keyDigest } = await deps.messaging.transaction(deps.db, async (tx, send) => {
      const { asker } = await lockForChange(tx, { accountId, by, now });
      const held = await lockKey(tx, accountId, keyId);
      if (!held) throw serviceError('key_not_found');
      if (statusOf(held, now) === 'revoked') throw serviceError('key_revoked');
      const refusal = refusedCap(asker, dailyCreditCap, held.dailyCreditCap);
      if (refusal) throw refusal;
      const detail = JSON.stringify(changed);
      await auditKeyChange(tx, { at: now, action: 'key-updated', accountId, keyId, requestId, by, detail });
      const updated = await updateKeyFields(tx, keyId, changed, now);
      const digest = await emitKeyChangedOf({ tx, send }, deps.vault, keyId);
      return { key: updated, keyDigest: digest };
    });
    // Projected principals carry the cap.
    await forgetPrincipals(deps, [keyDigest]);
    return toApiKey(key, now);
  },
);
