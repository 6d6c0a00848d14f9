import { secondsToNextUtcDay, serviceError } from '@tds/contracts';
import type { Db } from '../store/database.ts';
import { countAsked } from '../store/queues.ts';
import { lockWebhook, type Target } from '../store/webhooks.ts';

/**
 * The enabled webhook of an account that asks for a delivery, which counts towards its day; its queue is held from then on. Throws
 * `webhook_not_configured` and `webhook_test_cap`.
 */
export const lockForAsking = async (tx: Db, accountId: string, now: Date): Promise<Target> => {
  const webhook = await lockWebhook(tx, accountId);
  if (!webhook?.enabled) throw serviceError('webhook_not_configured');
  if (!(await countAsked(tx, accountId)))
    throw serviceError('webhook_test_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
  return webhook;
};
