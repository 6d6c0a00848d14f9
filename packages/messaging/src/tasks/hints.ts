import type { Task } from '@tds/contracts';
import { consume, type Room } from '../broker/consume.ts';
import { hintStream } from '../broker/streams.ts';
import type { StoreRuntime, Worker } from '../runtime/runtime.ts';

const ACK_WAIT_MS = 5_000;
const NOT_NOW_MS = 250;
/** Each hint makes one more instance look; it then claims as much as it has room for. */
const MAX_HINTS_AT_ONCE = 16;

/**
 * Lets the other instances know that there is more than this one has room for. Fire and forget: a hint may be lost, late or
 * doubled, since the receiver looks into the table.
 */
export const sendHints = ({ bus }: StoreRuntime, task: Task, count: number): void => {
  if (!bus.isConnected()) return;
  for (let sent = 0; sent < Math.min(count, MAX_HINTS_AT_ONCE); sent += 1)
    bus.connection.publish(task.subject);
};

type HintReceiver = { readonly task: Task; readonly room: Room; readonly onHint: () => void };

/** Takes hints of one task while there is room for more work. */
export const receiveHints = (
  { service, bus, log, checks }: StoreRuntime,
  { task, room, onHint }: HintReceiver,
): Worker =>
  consume({
    bus,
    definition: {
      stream: hintStream(service, bus.streamLimits),
      name: `${service}__${task.wireName}`,
      subject: task.subject,
      ackWaitMs: ACK_WAIT_MS,
    },
    room,
    take: (message) => {
      // The room may have been filled since the hint was asked for: then it is for another instance.
      if (room.free() === 0) return message.nak(NOT_NOW_MS);
      message.ack();
      onHint();
    },
    log,
    checks,
  });
