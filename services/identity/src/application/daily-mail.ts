import { DAY_MS, identity, type MailChoice } from '@tds/contracts';
import { runOnce } from '@tds/kit';
import type { ListenerContext, Sender } from '@tds/messaging';
import type { Deps, Transaction } from '../deps.ts';
import { addItem, hasUnmailed, lockForDigest, type MailedEvent } from '../store/digests.ts';
import { countHits } from '../store/throttle-windows.ts';
import type { Surface } from '../surface.ts';

/** Mails of one kind of event to an account in a day; the daily mail has the others. */
const MAILS_PER_DAY = 20;

/** Mails an event of a monitor or a job at once, or adds it to the daily mail, as the account has chosen; once for each event. */
export const mailEvent = async (
  deps: Deps,
  { mail, ...event }: MailedEvent & { readonly mail: MailChoice },
  context: Pick<ListenerContext, 'once'>,
) => {
  if (mail === 'none') return;
  const { id: mailId, accountId, notice } = event;
  const throttle = { scope: `${notice.kind}-mail`, subject: accountId, limit: MAILS_PER_DAY, windowMs: DAY_MS };
  await runOnce(deps, context, async (tx, send) => {
    const [hit] = mail === 'now' ? await countHits(tx, [throttle], deps.now()) : [];
    const isAtOnce = hit !== undefined && hit.hits <= MAILS_PER_DAY;
    // A daily mail that is about to end either has the event, or sees that it waits.
    const delayMs = await lockForDigest(tx, accountId, deps.now());
    if (!(await addItem(tx, event, isAtOnce))) return;
    if (isAtOnce) await send.enqueue(identity.sendNotice, { accountId, mailId, notice });
    else await send.enqueue(identity.sendDailyMail, { accountId }, { key: accountId, delayMs });
  });
};

/** Runs `save`, which may change the hour of an account's daily mail: one that waits comes at the new time then. */
export const moveDailyMail = async <T>(
  { tx, send, now }: Pick<Transaction, 'tx' | 'now'> & { readonly send: Sender<Surface> },
  accountId: string,
  save: () => Promise<T>,
): Promise<T> => {
  const before = await lockForDigest(tx, accountId, now);
  const saved = await save();
  const delayMs = await lockForDigest(tx, accountId, now);
  if (delayMs !== before && (await hasUnmailed(tx, accountId)))
    await send.enqueue(identity.sendDailyMail, { accountId }, { key: accountId, delayMs, moves: true });
  return saved;
};
