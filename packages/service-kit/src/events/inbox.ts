import type { SqlExecutor } from '../runtime/service.ts';

/** Delivered again, a message may be elsewhere in the stream. */
const REMEMBER = `
  INSERT INTO messaging.inbox (consumer, message_id, stream_seq) VALUES ($1::text, $2::uuid, $3::bigint)
  ON CONFLICT (consumer, message_id) DO UPDATE SET stream_seq = coalesce(excluded.stream_seq, inbox.stream_seq)
  RETURNING xmax = 0 AS "isNew"`;

type ReceivedMessage = {
  readonly consumer: string;
  readonly messageId: string;
  /** Where the stream keeps it; null where it did not come from there. */
  readonly streamSeq: number | null;
};

/**
 * Runs `effect` in the caller's transaction unless `consumer` has committed this message before. Of two deliveries at
 * the same time, the second waits for the first's commit and then changes nothing.
 */
export const handleOnce = async (
  tx: SqlExecutor,
  { consumer, messageId, streamSeq }: ReceivedMessage,
  effect: () => Promise<void>,
): Promise<void> => {
  const [remembered] = await tx.$queryRawUnsafe<{ isNew: boolean }[]>(
    REMEMBER,
    consumer,
    messageId,
    streamSeq,
  );
  if (remembered?.isNew) await effect();
};
