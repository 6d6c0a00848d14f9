import { defineContract } from '@tds/contracts';
import { z } from 'zod';
import { currentMessageContext } from '../broker/message-context.ts';
import { type ListenerHandlers, notifyListener } from '../events/notify-listener.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import type { TaskHandler } from './run-task.ts';

const replayPayload = z.object({
  subject: z.string(),
  messageId: z.uuid(),
  /** Where the stream keeps it, if that is known. */
  streamSeq: z.int().nullable().default(null),
  payload: z.unknown(),
});

/** The kit's own task: hands an event that had been given up, or that this database has lost, to its listener once more. */
export const replayTask = (service: StoreRuntime['surface']['name']) =>
  defineContract(service, {
    tasks: {
      /** `REPLAY_TASK` in the database. */
      kitReplayEvent: {
        payload: replayPayload,
        leaseMs: 30_000,
        backoffMs: [1_000, 10_000, 60_000],
        concurrency: 4,
      },
    },
  }).kitReplayEvent;

export const replayEvent =
  (runtime: StoreRuntime, handlers: ListenerHandlers): TaskHandler =>
  async (given) => {
    const { subject, messageId, streamSeq, payload } = replayPayload.parse(given);
    const event = runtime.surface.subscriptions.find((known) => known.subject === subject);
    const handler = event && handlers[event.name];
    if (!handler) throw new Error(`${runtime.service} does not subscribe to ${subject} any more`);
    const body = JSON.stringify(payload);
    const outcome = await notifyListener(runtime, {
      event,
      handler,
      ...{ messageId, streamSeq, body },
      messageContext: currentMessageContext(),
    });
    if (!outcome.handled) throw outcome.error;
  };
