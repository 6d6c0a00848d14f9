import { identity } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { noticeMail } from '../domain/notice-mail.ts';
import { NOTICE_EVERY_MS } from '../domain/webhook-notices.ts';
import { findAccount } from '../store/accounts.ts';
import { findDueNotice, markNoticeMailed } from '../store/webhook-notices.ts';

/** What changes while the mail is sent is mailed later. */
export const sendWebhookNotice = onTask(
  identity.sendWebhookNotice,
  async (
    { db, messaging, mailer, config, now }: Pick<Deps, 'db' | 'messaging' | 'mailer' | 'config' | 'now'>,
    { accountId },
    context,
  ) => {
    const due = await findDueNotice(db, accountId);
    const { email, status } = await findAccount(db, accountId);
    if (due && status !== 'closed') {
      const { mailId, host, changes } = due;
      await context.beginEffect();
      const mail = noticeMail({ kind: 'webhook_changed', host, changes: [...changes] }, config.supportEmail);
      context.record.add({ mail: await mailer.send({ to: email, id: mailId, ...mail }) });
    }
    await messaging.transaction(db, async (tx, send) => {
      await context.complete(tx);
      const isLeft = due !== null && (await markNoticeMailed(tx, { accountId, mailId: due.mailId }, now()));
      if (isLeft)
        await send.enqueue(
          identity.sendWebhookNotice,
          { accountId },
          { key: accountId, delayMs: NOTICE_EVERY_MS },
        );
    });
  },
);
