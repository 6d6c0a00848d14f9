import { randomUUID } from 'node:crypto';
import {
  createApiKey,
  createSessionToken,
  defineSurface,
  digestSecret,
  displayPrefix,
  type RequestOf,
  type verifyCode,
} from '@tds/contracts';
import { type Call, defineService } from '@tds/service-kit';
import { surface as identity } from '../surface.ts';

export const CLIENT_ADDRESS = '203.0.113.9';

const surface = defineSurface({
  name: 'gateway',
  calls: identity.answers,
});

export type CallIdentity = Call<typeof surface>;

/** A service that does nothing but call identity over the bus; `onCall` gets its call. */
export const gatewayStandIn = (onCall: (call: CallIdentity) => void) =>
  defineService({
    surface,
    start: async (kit) => {
      onCall(kit.call);
      return { commands: {}, tasks: {}, listeners: {}, watchers: {}, schedules: {} };
    },
  });

/** What a handler or a call needs besides its message. */
export const context = () => ({
  requestId: randomUUID(),
  accountId: null,
  signal: new AbortController().signal,
  record: { add: () => {} },
});

export type Secrets = {
  readonly key: string;
  readonly session: string;
  readonly keyDigest: string;
  readonly sessionDigest: string;
};

/** New secrets as a gateway makes them. */
export const newSecrets = (): Secrets => {
  const key = createApiKey();
  const session = createSessionToken();
  return { key, session, keyDigest: digestSecret(key), sessionDigest: digestSecret(session) };
};

export const verifyRequest = (
  email: string,
  code: string,
  secrets: Secrets,
): RequestOf<typeof verifyCode> => ({
  email,
  code,
  acceptTerms: true,
  clientAddress: CLIENT_ADDRESS,
  sessionDigest: secrets.sessionDigest,
  keyDigest: secrets.keyDigest,
  keyPrefix: displayPrefix(secrets.key),
});
