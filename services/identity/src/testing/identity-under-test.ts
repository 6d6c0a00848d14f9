import { randomUUID } from 'node:crypto';
import {
  authenticateKey,
  authenticateSession,
  createApiKey,
  createSessionToken,
  defineSurface,
  digestSecret,
  displayPrefix,
  endSession,
  type RequestOf,
  requestCode,
  verifyCode,
} from '@tds/contracts';
import { type Call, defineService, type Kit, startServices } from '@tds/service-kit';
import {
  createTestDatabase,
  eventually,
  type FakeClock,
  fakeClock,
  sharedRedisUrl,
  startTestNats,
} from '@tds/test-kit';
import type { Overrides } from '../deps.ts';
import { createIdentity } from '../index.ts';
import type { IdentityHandlers, Surface } from '../surface.ts';
import { codeIn, type SmtpCatcher, startSmtpCatcher } from './smtp-catcher.ts';

const callerSurface = defineSurface({
  name: 'gateway',
  calls: [requestCode, verifyCode, endSession, authenticateKey, authenticateSession],
});

export type SignUp = {
  readonly key: string;
  readonly session: string;
  readonly keyDigest: string;
  readonly sessionDigest: string;
};

/** New secrets as a gateway makes them. */
export const newSecrets = (): SignUp => {
  const key = createApiKey();
  const session = createSessionToken();
  return { key, session, keyDigest: digestSecret(key), sessionDigest: digestSecret(session) };
};

export type IdentityUnderTest = {
  readonly clock: FakeClock;
  readonly smtp: SmtpCatcher;
  readonly kit: Kit<Surface>;
  readonly handlers: IdentityHandlers;
  readonly environment: NodeJS.ProcessEnv;
  readonly adminUrl: string;
  readonly call: Call<typeof callerSurface>;
  /** Asks for a code and reads it from the mail. */
  askForCode(email: string): Promise<string>;
  verify(
    email: string,
    code: string,
    secrets?: SignUp,
    more?: Partial<RequestOf<typeof verifyCode>>,
  ): ReturnType<IdentityHandlers['commands']['verify-code']>;
  signUp(email?: string): Promise<SignUp & { accountId: string; keyId: string; email: string }>;
  stop(): Promise<void>;
};

export const context = () => ({
  requestId: randomUUID(),
  accountId: null,
  signal: new AbortController().signal,
  record: { add: () => {} },
});

export const CLIENT_ADDRESS = '203.0.113.9';
export const PEPPER = 'pepper-of-the-tests-0123456789abcdef';

/** Identity with a real database, broker, Redis and mail server, called as the gateway calls it. Its clock stands still. */
export const startIdentity = async (
  options: { environment?: NodeJS.ProcessEnv; overrides?: Overrides; redisUrl?: string } = {},
): Promise<IdentityUnderTest> => {
  const [database, nats, smtp] = await Promise.all([
    createTestDatabase('identity'),
    startTestNats(),
    startSmtpCatcher(),
  ]);
  const clock = fakeClock(new Date());
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    HEALTH_PORT: '0',
    DATABASE_URL: database.url,
    NATS_URL: nats.servers,
    REDIS_URL: options.redisUrl ?? (await sharedRedisUrl()),
    SMTP_URL: smtp.url,
    PEPPER,
    SIGNUP_PER_NETWORK_PER_HOUR: '100000',
    ...options.environment,
  };
  const base = createIdentity({ now: clock.now, ...options.overrides });
  const captured: { kit?: Kit<Surface>; handlers?: IdentityHandlers; call?: Call<typeof callerSurface> } = {};
  const identity = defineService({
    surface: base.surface,
    start: async (kit, given) => {
      captured.kit = kit;
      captured.handlers = await base.start(kit, given);
      return captured.handlers;
    },
  });
  const caller = defineService({
    surface: callerSurface,
    start: async (kit) => {
      captured.call = kit.call;
      return { commands: {}, tasks: {}, listeners: {}, watchers: {}, schedules: {} };
    },
  });
  const { DATABASE_URL: _own, ...shared } = environment;
  const running = await startServices([identity, caller], { identity: environment, gateway: shared });
  const { kit, handlers, call } = captured;
  if (!kit || !handlers || !call) throw new Error('the services did not start');

  const askForCode: IdentityUnderTest['askForCode'] = async (email) => {
    const before = smtp.mails.length;
    await call(requestCode, { email, clientAddress: CLIENT_ADDRESS }, context());
    return eventually(() => {
      const mail = smtp.mails.slice(before).find(({ to }) => to === email);
      if (!mail) throw new Error(`no mail for ${email}`);
      return codeIn(mail);
    });
  };
  const verify: IdentityUnderTest['verify'] = (email, code, secrets = newSecrets(), more = {}) =>
    call(
      verifyCode,
      {
        email,
        code,
        acceptTerms: true,
        clientAddress: CLIENT_ADDRESS,
        sessionDigest: secrets.sessionDigest,
        keyDigest: secrets.keyDigest,
        keyPrefix: displayPrefix(secrets.key),
        ...more,
      },
      context(),
    );
  return {
    clock,
    smtp,
    kit,
    handlers,
    environment,
    adminUrl: database.adminUrl,
    call,
    askForCode,
    verify,
    signUp: async (email = `${randomUUID()}@example.com`) => {
      const secrets = newSecrets();
      const { accountId, firstKey } = await verify(email, await askForCode(email), secrets);
      return { ...secrets, accountId, keyId: firstKey?.id ?? '', email };
    },
    stop: async () => {
      await running.stop();
      await Promise.all([nats.stop(), smtp.stop()]);
      await database.drop();
    },
  };
};
