import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { PermissionViolationError } from '@nats-io/nats-core';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Log, reasonText, unlessAborted } from '@tds/base';
import { type BrokerLogin, connectWithRetry } from './connect-patiently.ts';
import { defaultStreamLimits, type StreamLimits } from './stream-limits.ts';

/** One connection to the broker that never gives up. */
export type Bus = {
  /** Throws before the first connection. */
  readonly connection: NatsConnection;
  /** Throws before the first connection. */
  readonly jetstream: JetStreamClient;
  /** Whether the broker authenticates users; then only the provisioner creates streams. */
  readonly hasProvisioner: boolean;
  /** Of the streams that are made elsewhere. */
  readonly streamLimits: StreamLimits;
  readonly log: Log;
  isConnected(): boolean;
  /** The broker's refusals on this connection, a sentence each: rights that this service lacks. */
  refusals(): readonly string[];
  /** Resolves once connected; rejects when the signal fires. */
  whenConnected(signal: AbortSignal): Promise<void>;
  /** Calls after each connection from now on; returns the function that ends this. */
  onConnect(listener: () => void): () => void;
  onDisconnect(listener: () => void): () => void;
  /** Calls with the subject of a message that the broker rejected. */
  onRefusedPublish(listener: (subject: string) => void): () => void;
  /** Sends pending messages and ends the connection. */
  close(): Promise<void>;
};

type BusOptions = BrokerLogin & {
  readonly streamLimits?: StreamLimits;
  readonly log: Log;
  /** To be counted. */
  readonly onReconnect?: () => void;
};

type Listeners<Args extends unknown[] = []> = Set<(...args: Args) => void>;

/** On a busy machine answers to pings are late; a reconnection follows. */
const STALE = /stale connection/i;

const follow = async (
  connection: NatsConnection,
  log: Log,
  on: { readonly change: (connected: boolean) => void; readonly refused: (error: Error) => void },
): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect') {
      log.warn(status.type === 'reconnect' ? 'reconnected to the broker' : 'the broker is away');
      on.change(status.type === 'reconnect');
    } else if (status.type === 'error' && STALE.test(status.error.message)) {
      log.warn('the broker ends a connection that did not answer', { reason: reasonText(status.error) });
    } else if (status.type === 'error') {
      log.error('the broker refused', { error: status.error });
      on.refused(status.error);
    }
  }
};

const CLOSE_WITHIN_MS = 2_000;

/** Drains if connected; otherwise closes at once. */
const closeConnection = async (connection: NatsConnection, connected: boolean): Promise<void> => {
  if (connection.isClosed()) return;
  if (connected) {
    const timer = setTimeout(() => void connection.close(), CLOSE_WITHIN_MS);
    // Draining fails when the broker goes at this moment; closing follows in any case.
    await connection.drain().catch(() => {});
    clearTimeout(timer);
  }
  await connection.close();
};

function add<Args extends unknown[]>(
  listeners: Listeners<Args>,
  listener: (...args: Args) => void,
): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Rejects when the signal fires first. */
const nextCall = (listeners: Listeners, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return unlessAborted(promise, signal).finally(add(listeners, resolve));
};

const isInbox = (subject: string): boolean => subject.startsWith('_INBOX');

/** Remembers which rights were lacking, until the next connection shows whether they still are. */
const createRefusals = (refusalListeners: Listeners<[subject: string]>) => {
  const messages = new Set<string>();
  return {
    record: (error: Error): void => {
      if (!(error instanceof PermissionViolationError)) return;
      const { operation, subject } = error;
      if (operation === 'publish') for (const listener of refusalListeners) listener(subject);
      // A caller chooses its reply subject, so this is no fault of the service.
      if (operation === 'publish' && isInbox(subject)) return;
      messages.add(`no right to ${operation === 'publish' ? 'publish' : 'subscribe to'} ${subject}`);
    },
    forget: () => messages.clear(),
    list: () => [...messages],
  };
};

type BrokerClients = Pick<Bus, 'connection' | 'jetstream'>;

/** The first connection and all that follow it. Null when the signal fires before. */
const dialBroker = async (
  options: BusOptions,
  signal: AbortSignal,
  on: {
    readonly change: (connected: boolean, clients: BrokerClients) => void;
    readonly refused: (error: Error) => void;
  },
): Promise<BrokerClients | null> => {
  const connection = await connectWithRetry(options, options.log, { signal });
  if (!connection) return null;
  const clients = { connection, jetstream: jetstream(connection, { timeout: 2_000 }) };
  on.change(true, clients);
  void follow(connection, options.log, {
    refused: on.refused,
    change: (now) => {
      if (now) options.onReconnect?.();
      on.change(now, clients);
    },
  });
  return clients;
};

/** Begins to connect. */
export const openBus = (options: BusOptions): Bus => {
  const closing = new AbortController();
  const connectListeners: Listeners = new Set();
  const disconnectListeners: Listeners = new Set();
  const refusalListeners: Listeners<[subject: string]> = new Set();
  const refusals = createRefusals(refusalListeners);
  let connected = false;
  let current: BrokerClients | undefined;
  const dialling = dialBroker(options, closing.signal, {
    refused: refusals.record,
    change: (now, clients) => {
      connected = now;
      current = clients;
      if (!now) refusals.forget();
      for (const listener of now ? connectListeners : disconnectListeners) listener();
    },
  });
  const currentClients = (): BrokerClients => {
    if (!current) throw new Error('the broker has been away since the start');
    return current;
  };
  return {
    get connection() {
      return currentClients().connection;
    },
    get jetstream() {
      return currentClients().jetstream;
    },
    streamLimits: options.streamLimits ?? defaultStreamLimits,
    hasProvisioner: options.nkeySeed !== undefined,
    log: options.log,
    isConnected: () => connected,
    refusals: refusals.list,
    whenConnected: async (signal) => {
      signal.throwIfAborted();
      if (!connected) await nextCall(connectListeners, signal);
    },
    onConnect: (listener) => add(connectListeners, listener),
    onDisconnect: (listener) => add(disconnectListeners, listener),
    onRefusedPublish: (listener) => add(refusalListeners, listener),
    close: async () => {
      closing.abort();
      const last = await dialling;
      if (last) await closeConnection(last.connection, connected);
    },
  };
};

/** Connects, waiting for the broker until the signal fires. */
export const connectBus = async (options: BusOptions, signal = new AbortController().signal): Promise<Bus> => {
  const bus = openBus(options);
  await bus.whenConnected(signal).catch(async (error) => {
    await bus.close();
    throw error;
  });
  return bus;
};
