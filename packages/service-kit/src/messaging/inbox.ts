import type { SqlExecutor } from '../service.ts';

const REMEMBER = `
  INSERT INTO messaging.inbox (consumer, message_id) VALUES ($1::text, $2::uuid) ON CONFLICT DO NOTHING`;

/**
 * Runs `effect` in the caller's transaction unless `consumer` has committed this message before. Of two deliveries at
 * the same time, the second waits for the first's commit and then changes nothing.
 */
export const handleOnce = async (
  tx: SqlExecutor,
  message: { readonly consumer: string; readonly messageId: string },
  effect: () => Promise<void>,
): Promise<void> => {
  const isNew = (await tx.$executeRawUnsafe(REMEMBER, message.consumer, message.messageId)) === 1;
  if (isNew) await effect();
};
