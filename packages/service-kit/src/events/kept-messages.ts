import type { Bus } from '../broker/bus.ts';
import { messageIdOf } from '../broker/message-headers.ts';
import { readStream } from '../broker/read-stream.ts';

/** A message, and where the stream once kept it. */
export type Sent = { readonly id: string; readonly stream_seq: string };

/** Where it is looked for, and by which consumer. */
export type Kept = { readonly stream: string; readonly reader: string; readonly subject: string };

/** Whether the stream has this message at the position where it once acknowledged it, or has outlived it. */
export const isKept = async (bus: Bus, kept: Kept, { id, stream_seq }: Sent): Promise<boolean> => {
  const manager = await bus.jetstream.jetstreamManager(false);
  const { state } = await manager.streams.info(kept.stream);
  const seq = Number(stream_seq);
  if (seq > state.last_seq) return false;
  if (seq < state.first_seq) return true;
  const [message] = await readStream(bus, { ...kept, headersOnly: true, from: seq, upTo: seq, most: 1 });
  return message !== undefined && messageIdOf(message.headers) === id;
};

export const bySeq = (a: Sent, b: Sent): number => Number(a.stream_seq) - Number(b.stream_seq);

export const newestIn = (messages: readonly Sent[]): Sent | undefined => messages.toSorted(bySeq).at(-1);
