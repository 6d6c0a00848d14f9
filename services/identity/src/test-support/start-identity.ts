import { randomUUID } from 'node:crypto';
import { identity, type KnownDevice, type ReplyOf, type RequestOf } from '@tds/contracts';
import {
  type Caller,
  testContext as context,
  createCaller,
  observeService,
  startHarness,
} from '@tds/kit/testing';
import { dueRows, eventually, type FakeClock, fakeClock, KEY_RING, type TestRedis } from '@tds/test-kit';
import { service } from '../index.ts';
import { CLIENT_ADDRESS, newSecrets, type Secrets, verifyRequest } from './sign-in-requests.ts';
import { codeIn, type SmtpCatcher, startSmtpCatcher } from './smtp-catcher.ts';

export const PEPPER = 'pepper-of-the-tests-0123456789abcdef';

/** The mail exchanges of some domains. */
const mailExchanges: Readonly<Record<string, readonly string[]>> = {
  'alias.example': ['mx.alias.example', 'in.mailinator.com'],
};

type CallIdentity = Caller<typeof identity>['call'];

type Users = {
  /** Requests a code and reads it from the mail. */
  askForCode(email: string, device?: KnownDevice): Promise<string>;
  verify(
    email: string,
    code: string,
    secrets?: Secrets,
    changed?: Partial<RequestOf<typeof identity.verifyCode>>,
  ): Promise<ReplyOf<typeof identity.verifyCode>>;
  signUp(email?: string): Promise<Secrets & { accountId: string; keyId: string; email: string }>;
};

/** The service with the test's clock in place of all others. */
const observedAt = ({ now }: FakeClock) =>
  observeService(
    service.with({
      now,
      databaseNow: async () => now(),
      mailExchanges: async (domain) => mailExchanges[domain] ?? [],
    }),
  );

const createUsers = (call: CallIdentity, smtp: SmtpCatcher): Users => {
  const askForCode: Users['askForCode'] = async (email, device) => {
    const before = smtp.mails.length;
    await call(identity.requestCode, { email, clientAddress: CLIENT_ADDRESS, device }, context());
    return eventually(() => {
      const mail = smtp.mails
        .slice(before)
        .find(({ to, raw }) => to === email && raw.includes('Subject: Your sign-in code'));
      if (!mail) throw new Error(`no mail for ${email}`);
      return codeIn(mail);
    });
  };
  const verify: Users['verify'] = (email, code, secrets = newSecrets(), fields = {}) =>
    call(identity.verifyCode, verifyRequest(email, code, secrets, fields), context());
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

type Options = {
  readonly environment?: NodeJS.ProcessEnv;
  /** Stops with identity, so a test may damage it. */
  readonly redis?: Promise<TestRedis>;
};

/** Identity with a real database, broker, Redis and mail server, called like by the gateway. Its clock stands still. */
export const startIdentity = async ({ environment = {}, redis }: Options = {}) => {
  const [harness, smtp] = await Promise.all([
    startHarness({ databases: { identity: 'identity' }, ...(redis && { redis }) }),
    startSmtpCatcher(),
  ]);
  const settings = {
    SMTP_URL: smtp.url,
    PEPPER,
    KEY_RING,
    SIGNUP_PER_NETWORK_PER_HOUR: '100000',
    ...environment,
  };
  const startAt = async (clock: FakeClock) => {
    const { service: observedService, kit, handlers } = observedAt(clock);
    const { stop } = await harness.start(observedService, settings);
    return { kit, handlers, stop };
  };
  const clock = fakeClock(new Date());
  const caller = createCaller(identity);
  const [own] = await Promise.all([startAt(clock), harness.start(caller.service)]);
  return {
    ...createUsers(caller.call, smtp),
    clock,
    smtp,
    call: caller.call,
    kit: own.kit,
    rows: dueRows('identity', (text, values) => own.kit().db.query(text, values)),
    handlers: own.handlers,
    scrape: () => harness.scrape('identity'),
    /** Another instance on the same servers, with its own clock. */
    startAt,
    /** Until `startAt`, other processes answer. */
    stopService: own.stop,
    environment: { ...harness.environmentOf('identity'), ...settings },
    /** Connects as the database's administrator. */
    adminUrl: harness.databases.identity.adminUrl,
    stop: async () => {
      await harness.stop();
      await smtp.stop();
    },
  };
};

export type TestIdentity = Awaited<ReturnType<typeof startIdentity>>;
