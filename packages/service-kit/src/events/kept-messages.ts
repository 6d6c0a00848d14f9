import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { messageIdOf } from '../broker/message-headers.ts';
import { eventStream } from '../broker/streams.ts';

/** A message, and where the stream once kept it. */
export type Sent = { readonly id: string; readonly stream_seq: string };

const isNotFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound;

/** Whether the stream has this message at the position where it once acknowledged it, or has outlived it. */
export const isKept = async (manager: JetStreamManager, { id, stream_seq }: Sent): Promise<boolean> => {
  const { name } = eventStream;
  const { state } = await manager.streams.info(name);
  const seq = Number(stream_seq);
  if (seq > state.last_seq) return false;
  if (seq < state.first_seq) return true;
  try {
    const message = await manager.streams.getMessage(name, { seq });
    return message !== null && messageIdOf(message.header) === id;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
};

export const bySeq = (a: Sent, b: Sent): number => Number(a.stream_seq) - Number(b.stream_seq);

export const newestIn = (messages: readonly Sent[]): Sent | undefined => messages.toSorted(bySeq).at(-1);
