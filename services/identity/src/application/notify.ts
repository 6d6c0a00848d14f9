import { identity, type Notice } from '@tds/contracts';
import type { ListenerContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';

type About = { readonly accountId: string; readonly read: (tx: Db) => Promise<Notice | null> };

/**
 * Mails what an event is about, once for each event. After a restore the same event may be heard again: its mail then has the same
 * message id.
 */
export const notifyOnce = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId, read }: About,
  { messageId: mailId, once }: Pick<ListenerContext, 'messageId' | 'once'>,
): Promise<void> =>
  messaging.transaction(db, (tx, send) =>
    once(tx, async () => {
      const notice = await read(tx);
      if (notice) await send.enqueue(identity.sendNotice, { accountId, mailId, notice });
    }),
  );
