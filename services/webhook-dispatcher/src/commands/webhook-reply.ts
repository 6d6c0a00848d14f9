import type { Webhook } from '@tds/contracts';
import type { StoredWebhook } from '../store/webhooks.ts';

export const toWebhook = (row: StoredWebhook): Webhook => ({
  url: row.url,
  lowBalanceThreshold: row.lowBalanceThreshold,
  enabled: row.enabled,
  disabledReason: row.disabledReason as Webhook['disabledReason'],
  disabledAt: row.disabledAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  updatedByKeyId: row.updatedByKeyId,
});
