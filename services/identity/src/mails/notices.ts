import { DAY_MS, HOUR_MS, identity, type Notice } from '@tds/contracts';
import { runOnce } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { countHits } from '../store/throttle-windows.ts';

export type DueNotice = { readonly notice: Notice; readonly delayMs?: number };

const MAILS_PER_DAY = 5;
/** One mail about all that follows within this time. */
const MORE_EVERY_MS = HOUR_MS;

/** Each kind of mail has an allowance of its own, so no kind uses up that of another. */
type Allowance = { readonly scope: string; readonly more: 'more_keys_made' | 'more_apps_connected' };
export const KEY_MAILS: Allowance = { scope: 'key-mail', more: 'more_keys_made' };
export const CONNECTION_MAILS: Allowance = { scope: 'connection-mail', more: 'more_apps_connected' };
type WantedNotice = Allowance & { readonly accountId: string; readonly notice: Notice };

/** The notice within its allowance of a day. The first beyond it is a delayed mail about itself and those that follow until then. */
export const withinAllowance = async (
  tx: Db,
  { accountId: subject, notice, scope, more }: WantedNotice,
  now: Date,
): Promise<DueNotice | null> => {
  const throttle = { scope, subject, limit: MAILS_PER_DAY, windowMs: DAY_MS };
  const [hit] = await countHits(tx, [throttle], now);
  if ((hit?.hits ?? 0) <= MAILS_PER_DAY) return { notice };
  const moreThrottle = { scope: `${scope}-more`, subject, limit: 1, windowMs: MORE_EVERY_MS };
  const [first] = await countHits(tx, [moreThrottle], now);
  if ((first?.hits ?? 0) > 1) return null;
  return { notice: { kind: more, since: now.toISOString() }, delayMs: MORE_EVERY_MS };
};

export type Stop = { readonly accountId: string; readonly cause: string; readonly notice: Notice };

/** The notice, if the account was mailed nothing about its cause for a day, whatever has stopped. */
export const withinDay = async (tx: Db, { accountId: subject, cause, notice }: Stop, now: Date) => {
  const [hit] = await countHits(tx, [{ scope: `${cause}-mail`, subject, limit: 1, windowMs: DAY_MS }], now);
  return hit?.hits === 1 ? { notice } : null;
};

/** Mails a notice about an event, once for each event. If a restore delivers the event again, its mail has the same message id. */
export const notifyOnce = (
  deps: Deps,
  accountId: string,
  { messageId: mailId, once }: Pick<ListenerContext, 'messageId' | 'once'>,
  read: (tx: Db) => Promise<DueNotice | null>,
) =>
  runOnce(deps, { once }, async (tx, send) => {
    const due = await read(tx);
    if (due === null) return;
    const { notice, delayMs = 0 } = due;
    await send.enqueue(identity.sendNotice, { accountId, mailId, notice }, { delayMs });
  });
