import { DAY_MS, derivedId, HOUR_MS, identity, type Notice } from '@tds/contracts';
import { runOnce } from '@tds/kit';
import type { ListenerContext, Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { countHits } from '../store/throttle-windows.ts';
import type { Surface } from '../surface.ts';
import { findPayers } from './readers.ts';

/** `about` is the person whom it is about, who hears it beside those who hear all of the account. */
export type DueNotice = {
  readonly notice: Notice;
  readonly delayMs?: number;
  readonly about?: string | null | undefined;
};
type Sending = { readonly tx: Db; readonly send: Pick<Sender<Surface>, 'enqueue'> };
type AccountNotice = DueNotice & { readonly accountId: string; readonly mailId: string };

/** Mails a notice to a person. A repeat of the same `mailId` is the same mail. */
export const noticePerson = (
  { send }: Pick<Sending, 'send'>,
  { accountId, mailId, notice, delayMs = 0 }: AccountNotice,
  personId: string,
) =>
  send.enqueue(
    identity.sendNotice,
    { accountId, personId, mailId: derivedId(mailId, personId), notice },
    { delayMs },
  );

/** Mails a notice to who hears what concerns an account when it is sent, and now to whom it is about. */
export const noticeAccount = async (sending: Sending, due: AccountNotice) => {
  const { accountId, mailId, notice, about, delayMs = 0 } = due;
  await sending.send.enqueue(identity.sendNotice, { accountId, mailId, notice }, { delayMs });
  if (about && !(await findPayers(sending.tx, accountId)).includes(about))
    await noticePerson(sending, due, about);
};

const MAILS_PER_DAY = 5;
/** One mail about all that follows within this time. */
const MORE_EVERY_MS = HOUR_MS;

/** Each kind of mail has an allowance of its own, so no kind uses up that of another. */
type Allowance = { readonly scope: string; readonly more: 'more_keys_made' | 'more_apps_connected' };
export const KEY_MAILS: Allowance = { scope: 'key-mail', more: 'more_keys_made' };
export const CONNECTION_MAILS: Allowance = { scope: 'connection-mail', more: 'more_apps_connected' };
type WantedNotice = Allowance & Omit<DueNotice, 'delayMs'> & { readonly accountId: string };

/** The notice within its allowance of a day. The first beyond it is a delayed mail about itself and those that follow until then. */
export const withinAllowance = async (
  tx: Db,
  { accountId: subject, notice, about, scope, more }: WantedNotice,
  now: Date,
): Promise<DueNotice | null> => {
  const throttle = { scope, subject, limit: MAILS_PER_DAY, windowMs: DAY_MS };
  const [hit] = await countHits(tx, [throttle], now);
  if ((hit?.hits ?? 0) <= MAILS_PER_DAY) return { notice, about };
  const moreThrottle = { scope: `${scope}-more`, subject, limit: 1, windowMs: MORE_EVERY_MS };
  const [first] = await countHits(tx, [moreThrottle], now);
  if ((first?.hits ?? 0) > 1) return null;
  return { notice: { kind: more, since: now.toISOString() }, about, delayMs: MORE_EVERY_MS };
};

/** Whether a person, or an account, was mailed nothing about this cause for a day. */
export const isFirstOfDay = async (tx: Db, subject: string, cause: string, now: Date): Promise<boolean> => {
  const [hit] = await countHits(tx, [{ scope: `${cause}-mail`, subject, limit: 1, windowMs: DAY_MS }], now);
  return hit?.hits === 1;
};

/** Mails each of these people what has stopped, who was mailed nothing about its cause for a day, whatever has stopped. */
export const mailStop = (
  deps: Deps,
  { accountId, cause, notice }: { readonly accountId: string; readonly cause: string; readonly notice: Notice },
  { messageId: mailId, once }: Pick<ListenerContext, 'messageId' | 'once'>,
  findPeople: (tx: Db) => Promise<readonly string[]>,
) =>
  runOnce(deps, { once }, async (tx, send) => {
    for (const personId of await findPeople(tx))
      if (await isFirstOfDay(tx, personId, cause, deps.now()))
        await noticePerson({ send }, { accountId, mailId, notice }, personId);
  });

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
    await noticeAccount({ tx, send }, { ...due, accountId, mailId });
  });
