import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { deleteWebhookOf } from '../application/webhook-changes.ts';
import type { Deps } from '../deps.ts';
import { lockQueue } from '../store/queues.ts';

/** A closed account has no webhook any more. Its status never changes back to one that had it. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async (
    { db, messaging, seals }: Pick<Deps, 'db' | 'messaging' | 'seals'>,
    { accountId, status },
    context,
  ) => {
    if (status !== 'closed') return;
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        await lockQueue(tx, accountId);
        await deleteWebhookOf({ tx, send, seals }, { accountId, keyId: null });
      }),
    );
  },
);
