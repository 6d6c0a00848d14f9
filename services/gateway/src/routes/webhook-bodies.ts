import { type Delivery, type deliveryBody, serviceError, uuid, type Webhook } from '@tds/contracts';
import type { z } from 'zod';

/** The delivery that the path names. What cannot be an id answers like an id that nobody has. */
export const deliveryIdOf = ({ params }: { readonly params: Readonly<Record<string, string>> }): string => {
  const id = uuid.safeParse(params.deliveryId);
  if (!id.success) throw serviceError('delivery_not_found');
  return id.data;
};

export const toWebhookBody = (webhook: Webhook) => ({
  url: webhook.url,
  low_balance_threshold: webhook.lowBalanceThreshold,
  enabled: webhook.enabled,
  disabled_reason: webhook.disabledReason,
  disabled_at: webhook.disabledAt,
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
  updated_by_key_id: webhook.updatedByKeyId,
});

export const toDeliveryBody = (delivery: Delivery): z.input<typeof deliveryBody> => ({
  id: delivery.id,
  event_id: delivery.eventId,
  event: delivery.event,
  status: delivery.status,
  url: delivery.url,
  job_id: delivery.jobId,
  monitor_id: delivery.monitorId,
  resent_from: delivery.resentFrom,
  replaced_by: delivery.replacedBy,
  attempt_count: delivery.attemptCount,
  next_attempt_at: delivery.nextAttemptAt,
  created_at: delivery.createdAt,
  ended_at: delivery.endedAt,
});
