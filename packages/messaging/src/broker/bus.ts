import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { PermissionViolationError } from '@nats-io/nats-core';
import {
  AuthorizationError,
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import type { Log } from '@tds/base';
import { createBackoff } from '@tds/base/internals';
import { defaultStreamLimits, type StreamLimits } from './stream-limits.ts';
import { inboxOf, nkeyAuthenticator } from './users.ts';

type BrokerLogin = {
  readonly service: string;
  readonly url: string;
  /** Seed of the service's own NATS user, if the broker asks for one. */
  readonly nkeySeed?: string | undefined;
};

const connectionOptions = ({ service, url, nkeySeed }: BrokerLogin): NodeConnectionOptions => ({
  servers: url.split(','),
  name: service,
  inboxPrefix: inboxOf(service),
  maxReconnectAttempts: -1,
  reconnectTimeWait: 250,
  reconnectJitter: 250,
  timeout: 5_000,
  // A frozen broker is noticed within seconds; the default takes minutes.
  pingInterval: 2_000,
  maxPingOut: 2,
  // Wrong credentials may be a broker that restarts with half of its configuration.
  ignoreAuthErrorAbort: true,
  noAsyncTraces: true,
  ...(nkeySeed === undefined ? {} : { authenticator: nkeyAuthenticator(nkeySeed) }),
});

/** Not if it only waited too long for a signature. */
const isUnknown = (error: unknown): boolean =>
  error instanceof AuthorizationError && /violation/i.test(error.message);

type Dial = (options: NodeConnectionOptions) => Promise<NatsConnection>;

/** The first connection, however long it takes; says once why there is none yet. Null when the signal fires. */
export const connectPatiently = async (
  login: BrokerLogin,
  log: Pick<Log, 'warn' | 'error'>,
  { dial = connect, signal }: { readonly dial?: Dial; readonly signal: AbortSignal },
): Promise<NatsConnection | null> => {
  const backoff = createBackoff({ firstMs: 250, maxMs: 500 });
  let said = '';
  const say = (sentence: string, write: () => void): void => {
    if (said !== sentence) write();
    said = sentence;
  };
  while (!signal.aborted) {
    try {
      return await dial(connectionOptions(login));
    } catch (error) {
      if (isUnknown(error)) {
        const sentence =
          'the broker does not know this user: is NATS_NKEY_SEED the one that was made for it?';
        say(sentence, () => log.error(sentence, { error }));
      } else say('away', () => log.warn('the broker is away', { error }));
      await backoff.pause(signal);
    }
  }
  return null;
};

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

/** Begins to connect. */
export const openBus = (options: BusOptions): Bus => {
  const closing = new AbortController();
  const connects: Listeners = new Set();
  const disconnected: Listeners = new Set();
  const refusedPublish: Listeners<[subject: string]> = new Set();
  const refusals = createRefusals(refusedPublish);
  let connected = false;
  let opened: Pick<Bus, 'connection' | 'jetstream'> | undefined;
  const change = (now: boolean): void => {
    connected = now;
    if (!now) refusals.forget();
    for (const listener of now ? connects : disconnected) listener();
  };
  const dialling = connectPatiently(options, options.log, { signal: closing.signal }).then((connection) => {
    if (!connection) return;
    opened = { connection, jetstream: jetstream(connection, { timeout: 2_000 }) };
    change(true);
    void follow(connection, options.log, {
      refused: refusals.note,
      change: (now) => {
        if (now) options.onReconnect?.();
        change(now);
      },
    });
  });
  const open = (): Pick<Bus, 'connection' | 'jetstream'> => {
    if (!opened) throw new Error('the broker is away since the start');
    return opened;
  };
  return {
    get connection() {
      return open().connection;
    },
    get jetstream() {
      return open().jetstream;
    },
    streamLimits: options.streamLimits ?? defaultStreamLimits,
    hasProvisioner: options.nkeySeed !== undefined,
    isConnected: () => connected,
    refusals: refusals.list,
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
        const forget = add(connects, () => end(resolve));
        signal.addEventListener('abort', onAbort);
      });
    },
    onConnect: (listener) => add(connects, listener),
    onDisconnect: (listener) => add(disconnected, listener),
    onRefusedPublish: (listener) => add(refusedPublish, listener),
    close: async () => {
      closing.abort();
      await dialling;
      if (opened) await closeConnection(opened.connection, connected);
    },
  };
};

/** Connects, waiting for the broker as long as it takes. */
export const connectBus = async (options: BusOptions): Promise<Bus> => {
  const bus = openBus(options);
  await bus.whenConnected(new AbortController().signal);
  return bus;
};
