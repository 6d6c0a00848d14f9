import { defineContract } from '@tds/contracts';
import { z } from 'zod';
import { currentMessageContext } from '../broker/message-context.ts';
import { inTransaction } from '../db/pool-transaction.ts';
import { sqlExecutor } from '../db/sql-executor.ts';
import { errorText } from '../errors/error-text.ts';
import { holdEvent } from '../events/held-events.ts';
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
  async (given, { complete }) => {
    const { subject, messageId, streamSeq, payload } = replayPayload.parse(given);
    const event = runtime.surface.subscriptions.find((known) => known.subject === subject);
    const handler = event && handlers[event.name];
    if (!handler) throw new Error(`${runtime.service} does not subscribe to ${subject} any more`);
    const body = JSON.stringify(payload);
    const messageContext = currentMessageContext();
    const outcome = await notifyListener(runtime, {
      ...{ event, handler, messageId, streamSeq, body, messageContext },
    });
    if (outcome.handled) return;
    if (outcome.isReadable) throw outcome.error;
    // Together, so that whoever can read it finds no open task that has this one's key.
    await inTransaction(runtime.pool, async (client) => {
      const [headers, reason] = [messageContext, errorText(outcome.error)];
      await holdEvent(client, { subject, messageId, streamSeq, payload: body, headers, reason });
      await complete(sqlExecutor(client));
    });
  };
