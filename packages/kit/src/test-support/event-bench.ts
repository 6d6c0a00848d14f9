import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { defineContract, defineSurface } from '@tds/contracts';
import type { ListenerContext } from '@tds/messaging';
import type { TestNats } from '@tds/test-kit';
import { z } from 'zod';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const status = defineContract('status', {
  events: { thingHappened: { payload: z.object({ n: z.number() }) } },
});
export const happened = status.thingHappened;
const emitting = defineSurface(status);
export const subscribing = defineSurface(defineContract('archiver', {}), { subscriptions: [happened] });
const receiving = defineSurface(defineContract('search', {}), { broadcasts: [happened] });

export type Emitter = TestService<typeof emitting>;
export type Subscriber = TestService<typeof subscribing>;
type Listener = (payload: { n: number }, context: ListenerContext) => Promise<void>;

export const emit = (service: Emitter, n: number): Promise<void> =>
  service.kit.messaging.transaction(service.client, (_tx, send) => send.emit(happened, { n }));

export const unpublished = (service: Emitter): Promise<object[]> =>
  service.sql('SELECT id FROM messaging.outbox WHERE published_at IS NULL');

/** Services that emit and receive one event, on the given broker. */
export const createEventBench = (nats: () => TestNats) => {
  const bench = createTestBench();
  const natsUrl = () => nats().servers;
  const startSubscriber = (
    listener: Listener,
    databaseUrl?: string,
    environment: NodeJS.ProcessEnv = {},
  ): Promise<Subscriber> =>
    bench.start({
      surface: subscribing,
      handlers: { subscriptions: { thingHappened: listener } },
      natsUrl: natsUrl(),
      environment,
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
    });
  return {
    ...bench,
    startSubscriber,
    startEmitter: (databaseUrl?: string, environment: NodeJS.ProcessEnv = {}): Promise<Emitter> =>
      bench.start({
        surface: emitting,
        handlers: {},
        natsUrl: natsUrl(),
        environment,
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
      }),
    startReceiver: (handler: (payload: { n: number }) => Promise<void>, databaseUrl?: string) =>
      bench.start({
        surface: receiving,
        handlers: { broadcasts: { thingHappened: handler } },
        natsUrl: natsUrl(),
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
      }),
    /** Takes everything out of a stream that lies before a position, or all of it. */
    purge: async (stream: string, seq?: number): Promise<void> => {
      const connection = await connect({ servers: natsUrl() });
      await (await jetstreamManager(connection)).streams.purge(stream, seq === undefined ? undefined : { seq });
      await connection.close();
    },
    /** A listener whose effect belongs to a transaction: `seen` holds what was committed. */
    startCounting: async (environment: NodeJS.ProcessEnv = {}) => {
      const seen: number[] = [];
      const subscriber: Subscriber = await startSubscriber(
        async ({ n }, { once }) => {
          let isNew = false;
          await subscriber.client.$transaction((tx) =>
            once(tx, async () => {
              isNew = true;
            }),
          );
          if (isNew) seen.push(n);
        },
        undefined,
        environment,
      );
      return { seen, subscriber };
    },
  };
};
