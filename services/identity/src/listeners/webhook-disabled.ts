import { identity, webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** One mail for each time that it happens. */
export const webhookDisabled = onEvent(
  webhookDispatcher.webhookDisabled,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, host }, context) => {
    const { messageId: mailId } = context;
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        await send.enqueue(identity.sendWebhookMail, { accountId, host, mailId });
      }),
    );
  },
);
