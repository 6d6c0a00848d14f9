import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import {
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import type { Log } from '../log/log.ts';
import { defaultStreamLimits, type StreamLimits } from './stream-limits.ts';

/** One connection to the broker that never gives up. */
export type Bus = {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  /** Whether the broker knows its users, so that streams are made by the provisioner alone. */
  readonly hasProvisioner: boolean;
  /** Of the streams that are made elsewhere. */
  readonly streamLimits: StreamLimits;
  isConnected(): boolean;
  /** Resolves once connected; rejects when the signal fires. */
  whenConnected(signal: AbortSignal): Promise<void>;
  /** Calls after each reconnection; returns what ends it. */
  onReconnect(listener: () => void): () => void;
  onDisconnect(listener: () => void): () => void;
  /** Delivers what is under way and ends the connection. */
  close(): Promise<void>;
};

export type BusOptions = {
  readonly service: string;
  readonly url: string;
  /** Seed of the service's own NATS user, where the broker asks for one. */
  readonly nkeySeed?: string | undefined;
  readonly streamLimits?: StreamLimits;
  readonly log: Log;
  /** To be counted. */
  readonly onReconnect?: () => void;
};

const connectionOptions = ({ service, url, nkeySeed }: BusOptions): NodeConnectionOptions => ({
  servers: url.split(','),
  name: service,
  inboxPrefix: `_INBOX_${service}`,
  maxReconnectAttempts: -1,
  waitOnFirstConnect: true,
  reconnectTimeWait: 250,
  reconnectJitter: 250,
  timeout: 5_000,
  // A frozen broker is noticed within seconds; the default takes minutes.
  pingInterval: 2_000,
  maxPingOut: 2,
  // Wrong credentials may be a broker that restarts with half of its configuration.
  ignoreAuthErrorAbort: true,
  noAsyncTraces: true,
  ...(nkeySeed === undefined ? {} : { authenticator: nkeyAuthenticator(new TextEncoder().encode(nkeySeed)) }),
});

type Listeners = Set<() => void>;

const follow = async (
  connection: NatsConnection,
  log: Log,
  change: (connected: boolean) => void,
): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect') {
      log.warn(status.type === 'reconnect' ? 'reconnected to the broker' : 'the broker is away');
      change(status.type === 'reconnect');
    } else if (status.type === 'error') log.error('the broker refused', { error: status.error });
  }
};

const CLOSE_WITHIN_MS = 2_000;

/** Drains when connected; a broker that is away cannot be waited for. */
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

const add = (listeners: Listeners, listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Connects, waiting for the broker as long as it takes. */
export const connectBus = async (options: BusOptions): Promise<Bus> => {
  const connection = await connect(connectionOptions(options));
  const reconnected: Listeners = new Set();
  const disconnected: Listeners = new Set();
  let connected = true;
  void follow(connection, options.log, (now) => {
    connected = now;
    if (now) options.onReconnect?.();
    for (const listener of now ? reconnected : disconnected) listener();
  });
  return {
    connection,
    jetstream: jetstream(connection, { timeout: 2_000 }),
    streamLimits: options.streamLimits ?? defaultStreamLimits,
    hasProvisioner: options.nkeySeed !== undefined,
    isConnected: () => connected,
    whenConnected: async (signal) => {
      signal.throwIfAborted();
      if (connected) return;
      await new Promise<void>((resolve, reject) => {
        const end = (settle: () => void) => {
          forget();
          signal.removeEventListener('abort', onAbort);
          settle();
        };
        const onAbort = () => end(() => reject(signal.reason));
        const forget = add(reconnected, () => end(resolve));
        signal.addEventListener('abort', onAbort);
      });
    },
    onReconnect: (listener) => add(reconnected, listener),
    onDisconnect: (listener) => add(disconnected, listener),
    close: () => closeConnection(connection, connected),
  };
};
