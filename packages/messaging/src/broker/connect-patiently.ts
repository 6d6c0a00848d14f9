import {
  AuthorizationError,
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import type { Log } from '@tds/base';
import { createBackoff } from '@tds/base/internals';
import { inboxOf, nkeyAuthenticator } from './users.ts';

export type BrokerLogin = {
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
const isUnknownUser = (error: unknown): boolean =>
  error instanceof AuthorizationError && /violation/i.test(error.message);

type Dial = (options: NodeConnectionOptions) => Promise<NatsConnection>;

/** The first connection, however long it takes; says once why there is none yet. Null when the signal fires. */
export const connectWithRetry = async (
  login: BrokerLogin,
  log: Pick<Log, 'warn' | 'error'>,
  { dial = connect, signal }: { readonly dial?: Dial; readonly signal: AbortSignal },
): Promise<NatsConnection | null> => {
  const backoff = createBackoff({ firstMs: 250, maxMs: 500 });
  let lastReason = '';
  const logOnce = (sentence: string, write: () => void): void => {
    if (lastReason !== sentence) write();
    lastReason = sentence;
  };
  while (!signal.aborted) {
    try {
      return await dial(connectionOptions(login));
    } catch (error) {
      if (isUnknownUser(error)) {
        const sentence = 'the broker does not know this user: is NATS_NKEY_SEED the one that was made for it?';
        logOnce(sentence, () => log.error(sentence, { error }));
      } else logOnce('away', () => log.warn('the broker is away', { error }));
      await backoff.pause(signal);
    }
  }
  return null;
};
