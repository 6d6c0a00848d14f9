import { DAY_MS, identity, type MonitorMail } from '@tds/contracts';
import { runOnce } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import type { Deps, Transaction } from '../deps.ts';
import { countHits } from '../store/throttle-windows.ts';
import type { Surface } from '../surface.ts';
import { addItem, hasUnmailed, lockForDigest, type MailedEvent, PERIODS } from './store/digests.ts';

/** Mails of one kind of event to an account in a day; the daily mail has the others. */
const MAILS_PER_DAY = 20;

export const digestTasks = { daily: identity.sendDailyMail, weekly: identity.sendWeeklyMail };

/** Mails an event of a monitor or a job at once, or adds it to a digest, as the account has chosen; once for each event. */
export const mailEvent = async (
  deps: Deps,
  { mail, ...event }: MailedEvent & { readonly mail: MonitorMail },
  context: Pick<ListenerContext, 'once'>,
) => {
  if (mail === 'none') return;
  const { id: mailId, accountId, notice } = event;
  const throttle = { scope: `${notice.kind}-mail`, subject: accountId, limit: MAILS_PER_DAY, windowMs: DAY_MS };
  await runOnce(deps, context, async (tx, send) => {
    const [hit] = mail === 'now' ? await countHits(tx, [throttle], deps.now()) : [];
    const isAtOnce = hit !== undefined && hit.hits <= MAILS_PER_DAY;
    const period = mail === 'weekly' ? mail : 'daily';
    // A digest that is about to end either has the event, or sees that it waits.
    const delayMs = await lockForDigest(tx, accountId, period, deps.now());
    if (!(await addItem(tx, event, isAtOnce ? null : period))) return;
    if (isAtOnce) await send.enqueue(identity.sendNotice, { accountId, mailId, notice });
    else await send.enqueue(digestTasks[period], { accountId }, { key: accountId, delayMs });
  });
};

/** Runs `save`, which may change when the digests of an account come: those that wait come at the new time then. */
export const moveDigests = async <T>(
  { tx, send, now }: Pick<Transaction<Surface>, 'tx' | 'send' | 'now'>,
  accountId: string,
  save: () => Promise<T>,
): Promise<T> => {
  const findDelays = async () => ({
    daily: await lockForDigest(tx, accountId, 'daily', now),
    weekly: await lockForDigest(tx, accountId, 'weekly', now),
  });
  const before = await findDelays();
  const saved = await save();
  const after = await findDelays();
  for (const period of PERIODS) {
    const delayMs = after[period];
    if (delayMs !== before[period] && (await hasUnmailed(tx, accountId, period)))
      await send.enqueue(digestTasks[period], { accountId }, { key: accountId, delayMs, moves: true });
  }
  return saved;
};
