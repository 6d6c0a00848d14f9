import { identity } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { noticeMail } from '../domain/notice-mail.ts';
import { findAccount } from '../store/accounts.ts';

/** A repeat has the same message id, so that mailboxes can drop it. The holder of a closed account gets none. */
export const sendNotice = onTask(
  identity.sendNotice,
  async (
    { db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>,
    { accountId, mailId, notice },
    context,
  ) => {
    const { email, status } = await findAccount(db, accountId);
    if (status !== 'closed') {
      await context.beginEffect();
      const mail = noticeMail(notice, config.supportEmail);
      context.record.add({
        notice: notice.kind,
        mail: await mailer.send({ to: email, id: mailId, ...mail }),
      });
    }
    await db.$transaction((tx) => context.complete(tx));
  },
);
