import { identity, webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { waitMs } from '../domain/webhook-notices.ts';
import { noteWebhookChange } from '../store/webhook-notices.ts';

/** A webhook that is disabled because it fails has a mail of its own. */
const OWN_MAIL = 'disabled';

/** Mails the newest change, at once if the last mail was sent long enough ago; changes until then share the next mail. */
export const webhookChanged = onEvent(
  webhookDispatcher.webhookChanged,
  async (
    { db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>,
    { accountId, host, changes: all },
    { messageId: mailId, onceIfNewest },
  ) => {
    const changes = all.filter((change) => change !== OWN_MAIL);
    if (changes.length === 0) return;
    await messaging.transaction(db, (tx, send) =>
      onceIfNewest(tx, async () => {
        const mailedAt = await noteWebhookChange(tx, { accountId, host, changes, mailId });
        const delayMs = waitMs(mailedAt, now());
        await send.enqueue(identity.sendWebhookNotice, { accountId }, { key: accountId, delayMs });
      }),
    );
  },
);
