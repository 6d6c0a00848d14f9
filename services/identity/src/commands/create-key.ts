import { identity, type RequestOf } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { auditKeyChange } from '../application/key-changes.ts';
import type { Held } from '../application/lock-for-change.ts';
import { makeKeyOnce } from '../application/make-key-once.ts';
import { addKey, checkRoom } from '../application/new-key.ts';
import type { Deps, Transaction } from '../deps.ts';
import { neverEnding, toApiKey } from '../domain/api-key.ts';
import { refusedCapOfNew } from '../domain/daily-cap.ts';
import { refusedNewKey } from '../domain/key-limit.ts';
import { chooseSlot, sharedSlot } from '../domain/slots.ts';
import { findSlots } from '../store/account-keys.ts';

type Creation = RequestOf<typeof identity.createKey>;

const create = async (
  deps: Deps,
  work: Transaction,
  { by, ...given }: Creation,
  { account: { tier }, asker }: Held,
  requestId: string,
) => {
  const { tx, now } = work;
  const { accountId } = given;
  const refusal = refusedCapOfNew(asker, given.dailyCreditCap);
  if (refusal) throw refusal;
  await checkRoom(tx, { accountId, tier, now }, refusedNewKey);
  const slot = sharedSlot(asker) ?? chooseSlot(await findSlots(tx, accountId, now), tier);
  const added = await addKey(deps, work, { ...given, slot });
  const change = { at: now, action: 'key-created', accountId, keyId: added.id, requestId, by } as const;
  await auditKeyChange(tx, change);
  const reply = toApiKey({ ...added, ...neverEnding }, now);
  return { reply, keyId: added.id };
};

/** The account's row serialises all who add a key to it, so that the limit is exact. */
export const createKey = onCommand(identity.createKey, async (deps: Deps, given, { requestId, record }) => {
  const now = deps.now();
  const key = await deps.messaging.transaction(deps.db, (tx, send) => {
    const work = { tx, send, now };
    return makeKeyOnce(deps, work, given, {
      operation: 'create-key',
      schema: identity.createKey.reply,
      make: (held) => create(deps, work, given, held, requestId),
    });
  });
  record.add({ keyId: key.id, isReplay: key.replay !== undefined });
  return key;
});
