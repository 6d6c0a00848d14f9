import { z } from 'zod';

/** The kinds of events that webhooks receive. */
export const webhookKind = z
  .enum([
    'job.completed',
    'job.failed',
    'job.paused',
    'job.resumed',
    'credits.low',
    'channel.new_videos',
    'monitor.words_found',
    'webhook.test',
  ])
  .meta({ id: 'WebhookEventType' });
export type WebhookKind = z.infer<typeof webhookKind>;

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed']).meta({ id: 'DeliveryStatus' });
export type DeliveryStatus = z.infer<typeof deliveryStatus>;
