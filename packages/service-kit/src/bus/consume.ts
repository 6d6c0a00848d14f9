import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { failureFields } from '../errors/failure-fields.ts';
import type { Check } from '../health/run-checks.ts';
import type { Log } from '../log/log.ts';
import { createBackoff } from './backoff.ts';
import type { Bus } from './bus.ts';
import { type ConsumerDefinition, ensureConsumer, resetConsumer } from './streams.ts';

/** Room for messages: no more are taken from the broker than can be worked on now. */
export type Room = { free(): number; whenFree(): Promise<void> };

export type ConsumeOptions = {
  readonly bus: Bus;
  readonly definition: ConsumerDefinition;
  /** Asked once per connection: whether the broker has lost messages that were taken before. */
  readonly isPositionLost?: () => Promise<boolean>;
  readonly room: Room;
  /** Begins to work on the message; must not throw. */
  readonly take: (message: JsMsg) => void;
  readonly log: Log;
  /** Gets a check of its own: whether messages are being taken. */
  readonly checks: Map<string, Check>;
};

const PULL_EXPIRES_MS = 5_000;
/** Two of these without a sign of life, and the consumer is built anew. */
const HEARTBEAT_MS = 1_000;

/**
 * Takes messages from a durable consumer until stopped. Whatever happens to the broker, its store or the consumer (missed
 * heartbeats, deletion, a reconnection), the pull is given up and stream and consumer are created again if need be.
 */
export const consume = ({
  bus,
  definition,
  isPositionLost = async () => false,
  room,
  take,
  log,
  checks,
}: ConsumeOptions): { stop(): Promise<void> } => {
  const stopping = new AbortController();
  const backoff = createBackoff({ firstMs: 100, maxMs: 2_000 });
  let current: ConsumerMessages | undefined;
  let stale = false;
  let isTaking = false;
  let isPositionSure = false;
  checks.set(`consumer ${definition.name}`, () => {
    if (!isTaking) throw new Error('not taking messages');
  });
  const reconnected = () => {
    isPositionSure = false;
    stale = true;
    current?.stop();
  };

  const makeSureOfPosition = async (): Promise<void> => {
    if (isPositionSure) return;
    // Before the answer: a reconnection meanwhile asks again.
    isPositionSure = true;
    try {
      if (!(await isPositionLost())) return;
      await resetConsumer(bus, definition);
      log.warn('the broker lost messages that were taken: all that it keeps is taken again', {
        consumer: definition.name,
      });
    } catch (error) {
      isPositionSure = false;
      throw error;
    }
  };

  const pull = async (consumer: Consumer): Promise<void> => {
    stale = false;
    while (!stale && !stopping.signal.aborted) {
      await room.whenFree();
      if (stopping.signal.aborted) return;
      current = await consumer.fetch({
        max_messages: room.free(),
        expires: PULL_EXPIRES_MS,
        idle_heartbeat: HEARTBEAT_MS,
      });
      for await (const message of current) take(message);
      backoff.reset();
    }
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await bus.whenConnected(stopping.signal);
        await makeSureOfPosition();
        const consumer = await ensureConsumer(bus, definition);
        isTaking = true;
        await pull(consumer);
      } catch (error) {
        if (stopping.signal.aborted) return;
        isTaking = false;
        log.warn('consumer is built anew', { consumer: definition.name, ...failureFields(error) });
        await backoff.pause(stopping.signal);
      }
    }
  };

  const forget = bus.onReconnect(reconnected);
  const running = run();
  return {
    stop: async () => {
      forget();
      stopping.abort();
      current?.stop();
      await running;
    },
  };
};
