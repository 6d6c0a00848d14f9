import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { PermissionViolationError } from '@nats-io/nats-core';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Log } from '@tds/base';
import { type BrokerLogin, connectPatiently } from './connect-patiently.ts';
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

type Listeners<Given extends unknown[] = []> = Set<(...given: Given) => void>;

const follow = async (
  connection: NatsConnection,
  log: Log,
  on: { readonly change: (connected: boolean) => void; readonly refused: (error: Error) => void },
): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect') {
      log.warn(status.type === 'reconnect' ? 'reconnected to the broker' : 'the broker is away');
      on.change(status.type === 'reconnect');
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

function add<Given extends unknown[]>(
  listeners: Listeners<Given>,
  listener: (...given: Given) => void,
): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Rejects when the signal fires first. */
const nextCall = (listeners: Listeners, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      forget();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = () => end(() => reject(signal.reason));
    const forget = add(listeners, () => end(resolve));
    signal.addEventListener('abort', onAbort);
  });

const isInbox = (subject: string): boolean => subject.startsWith('_INBOX');

/** Remembers which rights were lacking, until the next connection shows whether they still are. */
const createRefusals = (refusedPublish: Listeners<[subject: string]>) => {
  const refused = new Set<string>();
  return {
    note: (error: Error): void => {
      if (!(error instanceof PermissionViolationError)) return;
      const { operation, subject } = error;
      if (operation === 'publish') for (const listener of refusedPublish) listener(subject);
      // A caller chooses its reply subject, so this is no fault of the service.
      if (operation === 'publish' && isInbox(subject)) return;
      refused.add(`no right to ${operation === 'publish' ? 'publish' : 'subscribe to'} ${subject}`);
    },
    forget: () => refused.clear(),
    list: () => [...refused],
  };
};

type Opened = Pick<Bus, 'connection' | 'jetstream'>;

/** The first connection and all that follow it. Null when the signal fires before. */
const dialBroker = async (
  options: BusOptions,
  signal: AbortSignal,
  on: {
    readonly change: (connected: boolean, opened: Opened) => void;
    readonly refused: (error: Error) => void;
  },
): Promise<Opened | null> => {
  const connection = await connectPatiently(options, options.log, { signal });
  if (!connection) return null;
  const opened = { connection, jetstream: jetstream(connection, { timeout: 2_000 }) };
  on.change(true, opened);
  void follow(connection, options.log, {
    refused: on.refused,
    change: (now) => {
      if (now) options.onReconnect?.();
      on.change(now, opened);
    },
  });
  return opened;
};

/** Begins to connect. */
export const openBus = (options: BusOptions): Bus => {
  const closing = new AbortController();
  const connects: Listeners = new Set();
  const disconnected: Listeners = new Set();
  const refusedPublish: Listeners<[subject: string]> = new Set();
  const refusals = createRefusals(refusedPublish);
  let connected = false;
  let current: Opened | undefined;
  const dialling = dialBroker(options, closing.signal, {
    refused: refusals.note,
    change: (now, opened) => {
      connected = now;
      current = opened;
      if (!now) refusals.forget();
      for (const listener of now ? connects : disconnected) listener();
    },
  });
  const opened = (): Opened => {
    if (!current) throw new Error('the broker has been away since the start');
    return current;
  };
  return {
    get connection() {
      return opened().connection;
    },
    get jetstream() {
      return opened().jetstream;
    },
    streamLimits: options.streamLimits ?? defaultStreamLimits,
    hasProvisioner: options.nkeySeed !== undefined,
    isConnected: () => connected,
    refusals: refusals.list,
    whenConnected: async (signal) => {
      signal.throwIfAborted();
      if (!connected) await nextCall(connects, signal);
    },
    onConnect: (listener) => add(connects, listener),
    onDisconnect: (listener) => add(disconnected, listener),
    onRefusedPublish: (listener) => add(refusedPublish, listener),
    close: async () => {
      closing.abort();
      const last = await dialling;
      if (last) await closeConnection(last.connection, connected);
    },
  };
};

/** Connects, waiting for the broker as long as it takes. */
export const connectBus = async (options: BusOptions): Promise<Bus> => {
  const bus = openBus(options);
  await bus.whenConnected(new AbortController().signal);
  return bus;
};
