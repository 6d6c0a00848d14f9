import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { endKey } from '../application/end-key.ts';
import { forgetPrincipals } from '../application/forget-principals.ts';
import { holderOf } from '../application/key-changes.ts';
import { lockForChange } from '../application/lock-for-change.ts';
import type { Deps } from '../deps.ts';
import { toApiKey } from '../domain/api-key.ts';
import { HOUR_MS, later } from '../domain/time.ts';
import { findKey, lockKey } from '../store/account-keys.ts';

export const revokeKey = onCommand(
  identity.revokeKey,
  async (deps: Deps, { accountId, by, keyId, graceHours }, { requestId, record }) => {
    const now = deps.now();
    const revokeAt = later(now, graceHours * HOUR_MS);
    const end = { keyId, revokeAt, atOnce: graceHours === 0, requestId, ...holderOf(by) };
    const { key, keyDigest } = await deps.messaging.transaction(deps.db, async (tx, send) => {
      await lockForChange(tx, { accountId, by, now });
      if (!(await lockKey(tx, accountId, keyId))) throw serviceError('key_not_found');
      const digest = await endKey({ tx, send, now }, deps.vault, end);
      return { key: await findKey(tx, accountId, keyId), keyDigest: digest };
    });
    if (!key) throw serviceError('key_not_found');
    if (keyDigest !== null) await forgetPrincipals(deps, [keyDigest]);
    record.add({ keyId, changed: keyDigest !== null });
    return toApiKey(key, now);
  },
);
