import { DAY_MS, HOUR_MS, identity, type Notice } from '@tds/contracts';
import { runOnce } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { countHits } from '../store/throttle-windows.ts';

export type DueNotice = { readonly notice: Notice; readonly delayMs: number };

export const withoutDelay = (notice: Notice | null): DueNotice | null => notice && { notice, delayMs: 0 };

type Allowance = {
  /** Each kind of mail has an allowance of its own, so no kind uses up that of another. */
  readonly scope: string;
  readonly mailsPerDay: number;
  /** One mail about all that follows within this time. */
  readonly moreEveryMs: number;
  readonly more: 'more_keys_made' | 'more_apps_connected';
};
export const KEY_MAILS: Allowance = {
  ...{ scope: 'key-mail', mailsPerDay: 5, moreEveryMs: HOUR_MS, more: 'more_keys_made' },
};
export const CONNECTION_MAILS: Allowance = {
  ...KEY_MAILS,
  ...{ scope: 'connection-mail', more: 'more_apps_connected' },
};
type WantedNotice = Allowance & { readonly accountId: string; readonly notice: Notice };

/** The notice within its allowance of a day. The first beyond it is a delayed mail about itself and those that follow until then. */
export const withinAllowance = async (
  tx: Db,
  { accountId: subject, notice, scope, mailsPerDay: limit, moreEveryMs, more }: WantedNotice,
  now: Date,
): Promise<DueNotice | null> => {
  const [hit] = await countHits(tx, [{ scope, subject, limit, windowMs: DAY_MS }], now);
  if ((hit?.hits ?? 0) <= limit) return { notice, delayMs: 0 };
  const throttle = { scope: `${scope}-more`, subject, limit: 1, windowMs: moreEveryMs };
  const [first] = await countHits(tx, [throttle], now);
  if ((first?.hits ?? 0) > 1) return null;
  return { notice: { kind: more, since: now.toISOString() }, delayMs: moreEveryMs };
};

export type Stop = { readonly accountId: string; readonly cause: string; readonly notice: Notice };

/** The notice, if the account was mailed nothing about its cause for a day, whatever has stopped. */
export const withinDay = async (tx: Db, { accountId: subject, cause, notice }: Stop, now: Date) => {
  const [hit] = await countHits(tx, [{ scope: `${cause}-mail`, subject, limit: 1, windowMs: DAY_MS }], now);
  return hit?.hits === 1 ? withoutDelay(notice) : null;
};

type NoticeSource = {
  readonly accountId: string;
  readonly read: (tx: Db) => Promise<DueNotice | null>;
};

/** Mails a notice about an event, once for each event. If a restore delivers the event again, its mail has the same message id. */
export const notifyOnce = (
  deps: Deps,
  { accountId, read }: NoticeSource,
  context: Pick<ListenerContext, 'messageId' | 'once'>,
) =>
  runOnce(deps, context, async (tx, send) => {
    const due = await read(tx);
    if (due === null) return;
    const { notice, delayMs } = due;
    await send.enqueue(identity.sendNotice, { accountId, mailId: context.messageId, notice }, { delayMs });
  });
