import { errorText, inTransaction, sqlExecutor } from '@tds/base/internals';
import { defineContract, type Event, type Surface, type Task } from '@tds/contracts';
import { z } from 'zod';
import { currentMessageContext } from '../broker/message-headers.ts';
import type { TaskContext, TaskHandler } from '../context.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { buryEvent } from './dead-letters.ts';
import { type ListenerHandlers, notifyListener } from './listener.ts';

const replayPayload = z.object({
  for: z.enum(['listener', 'emitter']).default('listener'),
  subject: z.string(),
  messageId: z.uuid(),
  /** The position in the stream, if known. */
  streamSeq: z.int().nullable().default(null),
  payload: z.unknown(),
});
type Replay = z.output<typeof replayPayload>;

/** The kit's own task: hands an event that failed, or that this database has lost, to its listener once more. */
export const replayTask = (service: StoreRuntime['surface']['name']) =>
  defineContract(service, {
    tasks: {
      /** `REPLAY_TASK` in the database. */
      kitReplayEvent: {
        payload: replayPayload,
        leaseMs: 30_000,
        backoffMs: [2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 300_000],
        concurrency: 16,
        timeLimitMs: 60_000,
      },
    },
  }).kitReplayEvent;

type ReplayHandlers = {
  readonly subscriptions: ListenerHandlers;
  readonly onOwnLostEvents: ListenerHandlers;
};

type ReplayListener = {
  readonly event: Event;
  readonly consumer: string;
  readonly handlers: ListenerHandlers;
};

/** The handler of the replay. An emitter's lost events have inbox names of their own, beside its subscriptions. */
const findListener = (
  { surface: { subscriptions, contract } }: StoreRuntime,
  { subscriptions: subscriptionHandlers, onOwnLostEvents }: ReplayHandlers,
  { subject, for: recipient }: Replay,
): ReplayListener | undefined => {
  const isEmitter = recipient === 'emitter';
  const events: readonly Event[] = isEmitter ? Object.values(contract.events) : subscriptions;
  const event = events.find((candidate) => candidate.subject === subject);
  if (!event) return undefined;
  return isEmitter
    ? { event, consumer: `lost ${subject}`, handlers: onOwnLostEvents }
    : { event, consumer: subject, handlers: subscriptionHandlers };
};

/** Ends the task together with the dead letter of its event. */
const giveUp = (
  { pool }: StoreRuntime,
  { subject, messageId, payload }: Replay,
  error: unknown,
  { attempt, complete }: TaskContext,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const headers = currentMessageContext();
    const letter = { subject, messageId, payload: JSON.stringify(payload), headers };
    await buryEvent(client, { ...letter, reason: errorText(error), attempts: attempt });
    await complete(sqlExecutor(client));
  });

export const replayEvent =
  (runtime: StoreRuntime, handlers: ReplayHandlers): TaskHandler =>
  async (input, context) => {
    const replay = replayPayload.parse(input);
    const { subject, messageId, streamSeq, payload } = replay;
    const listener = findListener(runtime, handlers, replay);
    const handler = listener?.handlers[listener.event.name];
    if (!listener || !handler) throw new Error(`${runtime.service} does not take ${subject} any more`);
    try {
      await notifyListener(runtime, {
        event: listener.event,
        consumer: listener.consumer,
        handler,
        messageId,
        streamSeq,
        body: JSON.stringify(payload),
        messageContext: currentMessageContext(),
        signal: context.signal,
      });
    } catch (error) {
      if (!context.isLastAttempt) throw error;
      await giveUp(runtime, replay, error, context);
      runtime.metrics.deadLetters.inc({ source: listener.event.wireName });
    }
  };

/** The tasks that a service works on: its own, and the kit's. A tool has no listener that an event could be replayed to. */
export const ownTasks = ({ name, contract, isTool = false }: Surface): Task[] => [
  ...Object.values(contract.tasks),
  ...(isTool ? [] : [replayTask(name)]),
];
