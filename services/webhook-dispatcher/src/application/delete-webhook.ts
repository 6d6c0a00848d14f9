import { webhookDispatcher } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Db } from '../store/database.ts';
import { changeVersion, lockQueue } from '../store/queues.ts';
import { removeWebhook } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

/** False where there was none. What waits to be sent keeps its secret, which is forgotten after the last of it. */
export const deleteWebhookOf = async (tx: Db, send: Sender<Surface>, accountId: string): Promise<boolean> => {
  await lockQueue(tx, accountId);
  const isDeleted = await removeWebhook(tx, accountId);
  if (isDeleted)
    await send.emit(webhookDispatcher.webhookRemoved, { accountId, version: await changeVersion(tx) });
  return isDeleted;
};
