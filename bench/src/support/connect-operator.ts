import { connect, type NatsConnection } from '@nats-io/transport-node';
import { inboxOf, nkeyAuthenticator, OPERATOR } from '@tds/messaging/internals';

/** A connection that may do everything. */
export const connectOperator = (servers: string, seed: string): Promise<NatsConnection> =>
  connect({
    servers,
    noAsyncTraces: true,
    inboxPrefix: inboxOf(OPERATOR),
    authenticator: nkeyAuthenticator(seed),
  });
