import { type Consumer, type ConsumerMessages, JetStreamError, type JsMsg } from '@nats-io/jetstream';
import type { Log } from '@tds/base';
import { failureFields } from '@tds/base';
import type { Check } from '@tds/base/internals';
import { createBackoff } from '@tds/base/internals';
import type { Bus } from './bus.ts';
import { type ConsumerDefinition, ensureConsumer, resetConsumer } from './streams.ts';

/** Room for messages: no more are taken from the broker than can be worked on now. */
type Room = { free(): number; whenFree(): Promise<void> };

type ConsumeOptions = {
  readonly bus: Bus;
  readonly definition: ConsumerDefinition;
  readonly room: Room;
  /** Begins to work on the message; must not throw. */
  readonly take: (message: JsMsg) => void;
  readonly log: Log;
  /** Gets a check of its own: whether messages are being taken. */
  readonly checks: Map<string, Check>;
};

const PULL_EXPIRES_MS = 60_000;
/** After two of these without a heartbeat the consumer is rebuilt. */
const HEARTBEAT_MS = 15_000;
/** Much longer than brokers take to elect a leader. */
const LEADERLESS_MS = 30_000;
const NO_RESPONDERS = 503;

/**
 * Whether a message is what the consumer is for. The broker delivers any message of a stream to any subject that a user names. And its
 * file of a consumer may outlive a lost stream: then it delivers again, by their places, what was never acknowledged, and in the
 * stream that was made anew other events have these places, which would come again and again.
 */
const isExpected = (message: JsMsg, { name, subject }: ConsumerDefinition, log: Log): boolean => {
  const { consumer } = message.info;
  if (consumer !== name) {
    log.error('a message of another consumer was sent here on purpose', { subject: message.subject });
    return false;
  }
  if (message.subject === subject) return true;
  log.warn('the broker delivers another event in the place of a lost one', {
    consumer,
    subject: message.subject,
  });
  message.ack();
  return false;
};

/** Fetches batches as large as there is room for, until it is interrupted. */
const createPull = (
  { room, take, definition, log }: ConsumeOptions,
  stopping: AbortSignal,
  onBatch: () => void,
) => {
  let current: ConsumerMessages | undefined;
  let isStale = false;
  return {
    interrupt: () => {
      isStale = true;
      current?.stop();
    },
    run: async (consumer: Consumer): Promise<void> => {
      isStale = false;
      while (!isStale && !stopping.aborted) {
        await room.whenFree();
        if (stopping.aborted) return;
        current = await consumer.fetch({
          max_messages: room.free(),
          expires: PULL_EXPIRES_MS,
          idle_heartbeat: HEARTBEAT_MS,
        });
        for await (const message of current) if (isExpected(message, definition, log)) take(message);
        onBatch();
      }
    },
  };
};

/** Notices that pulls have found no leader of the consumer for so long. */
const createLeaderWatch = (leaderlessMs: number) => {
  let missingSince = Number.POSITIVE_INFINITY;
  return {
    recordFailure: (error: unknown): void => {
      if (error instanceof JetStreamError && 'code' in error && error.code === NO_RESPONDERS)
        missingSince = Math.min(missingSince, performance.now());
    },
    clear: (): void => {
      missingSince = Number.POSITIVE_INFINITY;
    },
    isLost: (): boolean => performance.now() - missingSince > leaderlessMs,
  };
};

/**
 * Takes messages from a durable consumer until stopped. After any fault of the broker, its store or the consumer (missed
 * heartbeats, deletion, a reconnection), the pull is given up, and stream and consumer are created again if need be. Brokers may
 * lose the leader of a consumer for good if one dies while the consumer is created: it is then deleted.
 */
export const consume = (options: ConsumeOptions, leaderlessMs = LEADERLESS_MS): { stop(): Promise<void> } => {
  const { bus, definition, log, checks } = options;
  const stopping = new AbortController();
  const backoff = createBackoff({ firstMs: 100, maxMs: 2_000 });
  const leader = createLeaderWatch(leaderlessMs);
  const pull = createPull(options, stopping.signal, () => {
    backoff.reset();
    leader.clear();
  });
  let isTaking = false;
  checks.set(`consumer ${definition.name}`, () => {
    if (!isTaking) throw new Error('not taking messages');
  });
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await bus.whenConnected(stopping.signal);
        if (leader.isLost()) {
          leader.clear();
          await resetConsumer(bus, definition);
        }
        const consumer = await ensureConsumer(bus, definition);
        isTaking = true;
        await pull.run(consumer);
      } catch (error) {
        if (stopping.signal.aborted) return;
        isTaking = false;
        leader.recordFailure(error);
        const { name: consumer, stream } = definition;
        log.warn('the consumer is rebuilt', { consumer, stream: stream.name, ...failureFields(error) });
        await backoff.pause(stopping.signal);
      }
    }
  };

  const stopListening = bus.onConnect(pull.interrupt);
  const running = run();
  return {
    stop: async () => {
      stopListening();
      stopping.abort();
      pull.interrupt();
      await running;
    },
  };
};
