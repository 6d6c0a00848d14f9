import { serviceError, type WebhookChange, webhookDispatcher } from '@tds/contracts';
import { onCommand, type Seals } from '@tds/service-kit';
import { checkDestination } from '../application/check-destination.ts';
import { webhookChanged } from '../application/webhook-changes.ts';
import type { Deps } from '../deps.ts';
import { lockQueue } from '../store/queues.ts';
import { findWebhook, insertSecret, type StoredWebhook, saveWebhook } from '../store/webhooks.ts';
import { toWebhook } from './webhook-reply.ts';

/** None is saved that cannot be signed with. Who sealed it has a key that is not here yet, as in a rotation that went wrong. */
const assertOpens = (seals: Seals, sealed: string, owner: string): void => {
  try {
    seals.open(sealed, owner);
  } catch (cause) {
    throw serviceError('service_unavailable', { cause });
  }
};

const changesOf = (before: StoredWebhook | null, { url, secretId }: StoredWebhook): WebhookChange[] => {
  if (before === null) return ['created'];
  return [
    ...(before.url === url ? [] : ['address' as const]),
    ...(before.secretId === secretId ? [] : ['secret' as const]),
  ];
};

export const putWebhook = onCommand(
  webhookDispatcher.putWebhook,
  async ({ db, messaging, guard, seals, now }: Deps, request) => {
    const { accountId, keyId, lowBalanceThreshold, rotateSecret, sealedSecret } = request;
    const url = await checkDestination(guard, request.url, 'webhook_url_invalid');
    assertOpens(seals, sealedSecret, accountId);
    const at = now();
    return messaging.transaction(db, async (tx, send) => {
      await lockQueue(tx, accountId);
      const before = await findWebhook(tx, accountId);
      const kept = rotateSecret ? undefined : before?.secretId;
      const secretId = kept ?? (await insertSecret(tx, accountId, sealedSecret, at));
      const saved = await saveWebhook(
        tx,
        { accountId, url, secretId, lowBalanceThreshold, updatedByKeyId: keyId },
        at,
      );
      const changes = changesOf(before, saved);
      const version = await webhookChanged({ tx, send, seals }, { accountId, changes, url, keyId });
      await send.emit(webhookDispatcher.webhookConfigured, { accountId, lowBalanceThreshold, version });
      return { webhook: toWebhook(saved), isSecretTaken: kept === undefined };
    });
  },
);
