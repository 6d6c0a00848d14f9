import type { JsMsg } from '@nats-io/jetstream';
import { inTransaction } from '@tds/base/internals';
import type { PoolClient } from 'pg';
import { messageIdOf } from '../broker/message-headers.ts';
import { readStream, type StreamPart } from '../broker/read-stream.ts';
import type { StreamState } from '../broker/stream-now.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { movePosition, type Position } from './position.ts';

export type MessagesById = ReadonlyMap<string, JsMsg>;

type Comparison = Pick<StreamPart, 'reader' | 'subject' | 'upTo' | 'limit' | 'headersOnly'> & {
  readonly stream: StreamState;
  /** Whose position moves on, from `start`. */
  readonly consumer: string;
  readonly start: Position;
  /** The messages that the stream has at least after a position. */
  readonly minMessages?: (seq: number) => number;
  readonly signal: AbortSignal;
};

type ComparedPage = {
  readonly messages: MessagesById;
  /** The position before the page. */
  readonly position: Position;
  /** Moves the position beyond the page in the transaction of the work; without it the page comes again. */
  move<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result>;
};

export const byId = (messages: readonly JsMsg[]): MessagesById =>
  new Map(
    messages.flatMap((message) => {
      const id = messageIdOf(message.headers);
      return id === undefined ? [] : [[id.toLowerCase(), message] as const];
    }),
  );

/** Reads what the stream has beyond a position, page by page, for a comparison with this database. Throws if it is cut off before the end. */
export async function* compareStream(
  { pool, bus }: StoreRuntime,
  { consumer, start, minMessages, signal, ...part }: Comparison,
): AsyncGenerator<ComparedPage> {
  const { created } = part.stream;
  const { upTo, limit } = part;
  let position = start;
  let isDone = position.record?.streamCreated === created && position.seq >= upTo;
  while (!isDone) {
    signal.throwIfAborted();
    const previous = position;
    const [from, min] = [previous.seq + 1, minMessages?.(previous.seq) ?? 0];
    const page = from > upTo ? [] : await readStream(bus, { ...part, from, min });
    isDone = page.length < limit;
    const last = page.at(-1);
    const id = messageIdOf(last?.headers)?.toLowerCase();
    const seq = isDone || !last ? Math.max(previous.seq, upTo) : last.seq;
    const checkpoint = last && id ? { id, seq: last.seq } : previous.checkpoint;
    const move = <Result>(work: (client: PoolClient) => Promise<Result>) =>
      inTransaction(pool, async (client) => {
        const result = await work(client);
        position = await movePosition(client, consumer, { from: previous, to: { created, seq, checkpoint } });
        return result;
      });
    yield { messages: byId(page), position: previous, move };
  }
}
