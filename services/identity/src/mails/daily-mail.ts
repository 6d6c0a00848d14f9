import { DAY_MS, derivedId, type EventNotice, identity } from '@tds/contracts';
import { runOnce } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import type { Deps, Transaction } from '../deps.ts';
import { countHits } from '../store/throttle-windows.ts';
import type { Surface } from '../surface.ts';
import { noticePerson } from './notices.ts';
import { findReadersOfWork, type MailedWork } from './readers.ts';
import { addItem, hasUnmailed, lockForDigest, PERIODS, type Reader } from './store/digests.ts';

/** Mails of one kind of event to a person in a day; the daily mail has the others. */
const MAILS_PER_DAY = 20;

export const digestTasks = { daily: identity.sendDailyMail, weekly: identity.sendWeeklyMail };

type WorkEvent = MailedWork & {
  /** The same however often the event is emitted. */
  readonly id: string;
  readonly notice: EventNotice;
};
type Mailing = Pick<Transaction<Surface>, 'tx' | 'send' | 'now'>;

/** Mails an event to a person at once, or adds it to a digest. */
const mailReader = async (
  { tx, send, now }: Mailing,
  { id, accountId, notice }: WorkEvent,
  { personId, mail }: { readonly personId: string; readonly mail: MailedWork['mail'] },
) => {
  const throttle = { scope: `${notice.kind}-mail`, subject: personId, limit: MAILS_PER_DAY, windowMs: DAY_MS };
  const [hit] = mail === 'now' ? await countHits(tx, [throttle], now) : [];
  const isAtOnce = hit !== undefined && hit.hits <= MAILS_PER_DAY;
  const period = mail === 'weekly' ? mail : 'daily';
  // A digest that is about to end either has the event, or sees that it waits.
  const delayMs = await lockForDigest(tx, personId, period, now);
  const item = { id: derivedId(id, personId), accountId, personId, notice };
  if (!(await addItem(tx, item, isAtOnce ? null : period))) return;
  if (isAtOnce) await noticePerson({ send }, { accountId, mailId: id, notice }, personId);
  else await send.enqueue(digestTasks[period], { accountId, personId }, { key: personId, delayMs });
};

/** Mails an event of a monitor or a job to each of its readers, as each has chosen; once for each event. */
export const mailEvent = (deps: Deps, event: WorkEvent, context: Pick<ListenerContext, 'once'>) =>
  runOnce(deps, context, async (tx, send) => {
    for (const reader of await findReadersOfWork(tx, event))
      await mailReader({ tx, send, now: deps.now() }, event, reader);
  });

/** Runs `save`, which may change when the digests of a person come: those that wait come at the new time then. */
export const moveDigests = async <T>(
  { tx, send, now }: Mailing,
  reader: Reader,
  save: () => Promise<T>,
): Promise<T> => {
  const { personId } = reader;
  const findDelays = async () => ({
    daily: await lockForDigest(tx, personId, 'daily', now),
    weekly: await lockForDigest(tx, personId, 'weekly', now),
  });
  const before = await findDelays();
  const saved = await save();
  const after = await findDelays();
  for (const period of PERIODS) {
    const delayMs = after[period];
    if (delayMs !== before[period] && (await hasUnmailed(tx, reader, period)))
      await send.enqueue(digestTasks[period], { ...reader }, { key: personId, delayMs, moves: true });
  }
  return saved;
};
