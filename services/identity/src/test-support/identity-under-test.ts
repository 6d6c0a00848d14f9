import { randomUUID } from 'node:crypto';
import { identity, type KnownDevice, type ReplyOf, type RequestOf } from '@tds/contracts';
import { type Handlers, type Kit, startServices } from '@tds/service-kit';
import { type Caller, callerOf, testContext as context, observed } from '@tds/service-kit/testing';
import {
  createTestDatabase,
  eventually,
  type FakeClock,
  fakeClock,
  patience,
  sharedRedisUrl,
  startTestNats,
} from '@tds/test-kit';
import { service } from '../index.ts';
import type { Surface } from '../surface.ts';
import { CLIENT_ADDRESS, newSecrets, type Secrets, verifyRequest } from './sign-in-requests.ts';
import { codeIn, type SmtpCatcher, startSmtpCatcher } from './smtp-catcher.ts';

export const PEPPER = 'pepper-of-the-tests-0123456789abcdef';

/** Where the mail of some domains goes. */
const mailExchanges: Readonly<Record<string, readonly string[]>> = {
  'alias.example': ['mx.alias.example', 'in.mailinator.com'],
};

type CallIdentity = Caller<typeof identity>['call'];

type Running = {
  readonly kit: Kit<Surface>;
  readonly handlers: Handlers<Surface>;
  readonly call: CallIdentity;
  stop(): Promise<void>;
};

type Users = {
  /** Asks for a code and reads it from the mail. */
  askForCode(email: string, device?: KnownDevice): Promise<string>;
  verify(
    email: string,
    code: string,
    secrets?: Secrets,
    changed?: Partial<RequestOf<typeof identity.verifyCode>>,
  ): Promise<ReplyOf<typeof identity.verifyCode>>;
  signUp(email?: string): Promise<Secrets & { accountId: string; keyId: string; email: string }>;
};

export type IdentityUnderTest = Running &
  Users & {
    readonly clock: FakeClock;
    readonly smtp: SmtpCatcher;
    readonly environment: NodeJS.ProcessEnv;
    /** Of the database's administrator. */
    readonly adminUrl: string;
  };

/** Starts identity and a caller, and keeps hold of identity's insides. */
const startBoth = async (clock: FakeClock, environment: NodeJS.ProcessEnv): Promise<Running> => {
  const under = observed(
    service.with({
      now: clock.now,
      databaseNow: async () => clock.now(),
      mailExchanges: async (domain) => mailExchanges[domain] ?? [],
    }),
  );
  const caller = callerOf(identity);
  const { DATABASE_URL: _own, ...shared } = environment;
  const running = await startServices([under.service, caller.service], {
    identity: environment,
    gateway: shared,
  });
  return { kit: under.kit(), handlers: under.handlers(), call: caller.call, stop: running.stop };
};

const usersOf = (call: CallIdentity, smtp: SmtpCatcher): Users => {
  const askForCode: Users['askForCode'] = async (email, device) => {
    const before = smtp.mails.length;
    await call(identity.requestCode, { email, clientAddress: CLIENT_ADDRESS, device }, context());
    return eventually(() => {
      const mail = smtp.mails.slice(before).find(({ to }) => to === email);
      if (!mail) throw new Error(`no mail for ${email}`);
      return codeIn(mail);
    });
  };
  const verify: Users['verify'] = (email, code, secrets = newSecrets(), changed = {}) =>
    call(identity.verifyCode, { ...verifyRequest(email, code, secrets), ...changed }, context());
  return {
    askForCode,
    verify,
    signUp: async (email = `${randomUUID()}@example.com`) => {
      const secrets = newSecrets();
      const { accountId, firstKey } = await verify(email, await askForCode(email), secrets);
      return { ...secrets, accountId, keyId: firstKey?.id ?? '', email };
    },
  };
};

/** Identity with a real database, broker, Redis and mail server, called as the gateway calls it. Its clock stands still. */
export const startIdentity = async (
  options: { environment?: NodeJS.ProcessEnv; redisUrl?: string } = {},
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
    ...patience,
    DATABASE_URL: database.url,
    NATS_URL: nats.servers,
    REDIS_URL: options.redisUrl ?? (await sharedRedisUrl()),
    SMTP_URL: smtp.url,
    PEPPER,
    SIGNUP_PER_NETWORK_PER_HOUR: '100000',
    ...options.environment,
  };
  const running = await startBoth(clock, environment);
  return {
    ...running,
    ...usersOf(running.call, smtp),
    ...{ clock, smtp, environment, adminUrl: database.adminUrl },
    stop: async () => {
      await running.stop();
      await Promise.all([nats.stop(), smtp.stop()]);
      await database.drop();
    },
  };
};
