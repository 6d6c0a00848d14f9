import { serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { toApiKey } from '../domain/api-key.ts';
import { limitIdOfNew, refusedCapOfNew } from '../domain/daily-cap.ts';
import { refusedNewKey } from '../domain/key-limit.ts';
import { auditKeyChange } from '../operations/audit-key-change.ts';
import { checkRoom } from '../operations/check-room.ts';
import { chooseSecret } from '../operations/choose-secret.ts';
import { lockForChange } from '../operations/lock-for-change.ts';
import { newKey } from '../operations/new-key.ts';
import { insertKey } from '../store/api-keys.ts';
import type { IdentityHandlers } from '../surface.ts';

/** The account's row serialises everybody who adds a key to it, so that the limit is exact. */
export const createKey =
  (deps: Deps): IdentityHandlers['commands']['create-key'] =>
  async ({ by, ...given }, { requestId, record }) => {
    const now = deps.now();
    const { accountId } = given;
    const key = await deps.messaging.transaction(deps.db, async (tx) => {
      const { account, asker } = await lockForChange(tx, { accountId, by, now });
      const { status, tier } = account;
      if (status === 'closed') throw serviceError('account_closed');
      const refusal = refusedCapOfNew(asker, given.dailyCreditCap);
      if (refusal) throw refusal;
      await checkRoom(tx, { accountId, tier, now }, refusedNewKey);
      const secret = await chooseSecret(tx, given);
      const added = newKey(deps, { ...given, ...secret, limitId: limitIdOfNew(asker) }, now);
      await insertKey(tx, added);
      const change = { at: now, action: 'key-created', accountId, keyId: added.id, requestId, by } as const;
      await auditKeyChange(tx, change);
      return added;
    });
    record.add({ keyId: key.id });
    return toApiKey({ ...key, lastUsedAt: null, revokeAt: null, replacedBy: null }, now);
  };
