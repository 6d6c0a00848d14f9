import { type Webhook, type WebhookChange, webhookDispatcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { checkDestination, decryptOrReject } from '../application/check-destination.ts';
import { deleteAndEmit, emitWebhookChanged } from '../application/webhook-changes.ts';
import type { Deps } from '../deps.ts';
import { lockQueue } from '../store/queues.ts';
import { findWebhook, insertSecret, type StoredWebhook, saveWebhook } from '../store/webhooks.ts';

const toWebhook = (row: StoredWebhook): Webhook => ({
  url: row.url,
  low_balance_threshold: row.lowBalanceThreshold,
  enabled: row.enabled,
  disabled_reason: row.disabledReason as Webhook['disabled_reason'],
  disabled_at: row.disabledAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  updated_by_key_id: row.updatedByKeyId,
});

export const getWebhook = onCommand(webhookDispatcher.getWebhook, async ({ db }: Deps, { accountId }) => {
  const stored = await findWebhook(db, accountId);
  return { webhook: stored && toWebhook(stored) };
});

const listChanges = (before: StoredWebhook | null, { url, secretId }: StoredWebhook): WebhookChange[] => {
  if (before === null) return ['created'];
  return [
    ...(before.url === url ? [] : ['address' as const]),
    ...(before.secretId === secretId ? [] : ['secret' as const]),
  ];
};

export const putWebhook = onCommand(
  webhookDispatcher.putWebhook,
  async ({ db, messaging, guard, cipher, now }: Deps, request) => {
    const { accountId, keyId, lowBalanceThreshold, rotateSecret, sealedSecret } = request;
    const url = await checkDestination(guard, request.url, 'webhook_url_invalid');
    decryptOrReject(cipher, sealedSecret, accountId);
    const at = now();
    return messaging.transaction(db, async (tx, send) => {
      await lockQueue(tx, accountId);
      const before = await findWebhook(tx, accountId);
      const keptSecretId = rotateSecret ? undefined : before?.secretId;
      const secretId = keptSecretId ?? (await insertSecret(tx, accountId, sealedSecret, at));
      const webhook = await saveWebhook(
        tx,
        { accountId, url, secretId, lowBalanceThreshold, updatedByKeyId: keyId },
        at,
      );
      const changes = listChanges(before, webhook);
      const version = await emitWebhookChanged({ tx, send, cipher }, { accountId, changes, url, keyId });
      await send.emit(webhookDispatcher.webhookConfigured, { accountId, lowBalanceThreshold, version });
      return { webhook: toWebhook(webhook), isSecretTaken: keptSecretId === undefined };
    });
  },
);

export const deleteWebhook = onCommand(
  webhookDispatcher.deleteWebhook,
  async ({ db, messaging, cipher }: Deps, request) => ({
    isDeleted: await messaging.transaction(db, async (tx, send) => {
      await lockQueue(tx, request.accountId);
      return deleteAndEmit({ tx, send, cipher }, request);
    }),
  }),
);

export const checkWebhookUrl = onCommand(
  webhookDispatcher.checkWebhookUrl,
  async ({ db, guard }: Deps, { accountId, url }) => {
    if (!(await findWebhook(db, accountId))?.enabled) throw serviceError('webhook_not_configured');
    await checkDestination(guard, url, 'invalid_webhook_url');
    return {};
  },
);
