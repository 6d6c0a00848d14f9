import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { deleteWebhookOf } from '../application/delete-webhook.ts';
import type { Deps } from '../deps.ts';

/** A closed account has no webhook any more. Its status never changes back to one that had it. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, status }, context) => {
    if (status !== 'closed') return;
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        await deleteWebhookOf(tx, send, accountId);
      }),
    );
  },
);
