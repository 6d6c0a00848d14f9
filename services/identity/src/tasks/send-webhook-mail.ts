import { identity } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { webhookMail } from '../domain/webhook-mail.ts';
import { findAccount } from '../store/accounts.ts';

/** A repeat has the same message id, so that mailboxes can drop it. A closed account has nobody to tell. */
export const sendWebhookMail = onTask(
  identity.sendWebhookMail,
  async ({ db, mailer }: Pick<Deps, 'db' | 'mailer'>, { accountId, host, mailId }, context) => {
    const { email, status } = await findAccount(db, accountId);
    if (status !== 'closed') {
      await context.beginEffect();
      context.record.add({ mail: await mailer.send({ to: email, id: mailId, ...webhookMail(host) }) });
    }
    await db.$transaction((tx) => context.complete(tx));
  },
);
