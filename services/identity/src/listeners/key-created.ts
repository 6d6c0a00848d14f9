import { identity, type Notice } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { notifyOnce } from '../application/notify.ts';
import type { Deps } from '../deps.ts';
import { DAY_MS } from '../domain/time.ts';
import { findKey, hasOlderKey } from '../store/account-keys.ts';
import type { Db } from '../store/database.ts';
import { countHits } from '../store/throttle-windows.ts';

const MAILS_A_DAY = 5;

type Made = { readonly accountId: string; readonly keyId: string };

/** Of the first key the holder knows: it comes with the sign-up. */
const noticeOf = async (tx: Db, { accountId, keyId }: Made, now: Date): Promise<Notice | null> => {
  const key = await findKey(tx, accountId, keyId);
  if (key === null || !(await hasOlderKey(tx, accountId, key.createdAt))) return null;
  const throttle = { scope: 'key-mail', subject: accountId, limit: MAILS_A_DAY, windowMs: DAY_MS };
  const [hit] = await countHits(tx, [throttle], now);
  if ((hit?.hits ?? 0) > MAILS_A_DAY) return null;
  return { kind: 'key_made', name: key.name, prefix: key.prefix };
};

/** A mail for each new key, of the first five of a day. */
export const keyCreated = onEvent(
  identity.keyCreated,
  (deps: Pick<Deps, 'db' | 'messaging' | 'now'>, made, context) =>
    notifyOnce(deps, { accountId: made.accountId, read: (tx) => noticeOf(tx, made, deps.now()) }, context),
);
