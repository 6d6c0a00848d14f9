import { randomUUID } from 'node:crypto';
import {
  accountCreated,
  accountStatusChanged,
  creditsGranted,
  defineSurface,
  type Event,
  type PayloadOf,
} from '@tds/contracts';
import {
  type Call,
  defineService,
  type Handlers,
  type Kit,
  republishSince,
  startServices,
} from '@tds/service-kit';
import { createTestDatabase, eventually, patience, startTestNats, startTestRedis } from '@tds/test-kit';
import { creditsLedger } from '../index.ts';
import { surface as ledger, type Surface } from '../surface.ts';
import { openLedgerDatabase } from './ledger-database.ts';

const callerSurface = defineSurface({
  name: 'gateway',
  calls: ledger.answers,
  watches: [creditsGranted],
});
const identitySurface = defineSurface({ name: 'identity', emits: [accountCreated, accountStatusChanged] });

export const callContext = () => ({
  requestId: randomUUID(),
  accountId: null,
  signal: new AbortController().signal,
});

type Granted = PayloadOf<typeof creditsGranted>;

/** What the others of the ledger's world would be: somebody who calls, and identity, which tells of accounts. */
const surroundings = () => {
  const granted: Granted[] = [];
  let call: Call<typeof callerSurface> | undefined;
  let identity: Kit<typeof identitySurface> | undefined;
  const nothing = { commands: {}, tasks: {}, listeners: {}, watchers: {}, schedules: {} };
  const services = [
    defineService({
      surface: callerSurface,
      start: async (kit) => {
        call = kit.call;
        return {
          ...nothing,
          watchers: { 'credits-granted': async (event: Granted) => void granted.push(event) },
        };
      },
    }),
    defineService({
      surface: identitySurface,
      start: async (kit) => {
        identity = kit;
        return nothing;
      },
    }),
  ];
  const parts = () => {
    if (!call || !identity) throw new Error('the surroundings have not started');
    return { call, identity };
  };
  return { services, granted, parts };
};

type LedgerHandlers = Handlers<Surface>;

/** The ledger as it runs, noting what its listeners have dealt with. */
const listenedLedger = () => {
  const heard: string[] = [];
  const listen = ({ listeners }: LedgerHandlers): LedgerHandlers['listeners'] => ({
    'account-created': async (payload, context) => {
      await listeners['account-created'](payload, context);
      heard.push(payload.accountId);
    },
    'account-status-changed': async (payload, context) => {
      await listeners['account-status-changed'](payload, context);
      heard.push(`${payload.accountId} ${payload.version}`);
    },
  });
  const service = defineService({
    surface: creditsLedger.surface,
    start: async (kit, environment) => {
      const handlers = await creditsLedger.start(kit, environment);
      return { ...handlers, listeners: listen(handlers) };
    },
  });
  return { service, heard };
};

/** The ledger on real servers, called over the bus as other services call it. */
export const startLedger = async (environment: NodeJS.ProcessEnv = {}) => {
  const [database, messages, nats, redis] = await Promise.all([
    openLedgerDatabase(),
    createTestDatabase('messaging'),
    startTestNats(),
    startTestRedis(),
  ]);
  const { services, granted, parts } = surroundings();
  const { service, heard } = listenedLedger();
  const shared = {
    NATS_URL: nats.servers,
    REDIS_URL: redis.url,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...patience,
  };
  const running = await startServices([service, ...services], {
    'credits-ledger': { ...shared, DATABASE_URL: database.url, ...environment },
    gateway: shared,
    identity: { ...shared, DATABASE_URL: messages.url },
  });
  const { call, identity } = parts();
  return {
    database,
    redis,
    call,
    /** Events of grants, as others hear them. */
    granted,
    /** Every delivery to a listener that came to its end. */
    heard,
    identity,
    /** Tells of an account as identity would. */
    tell: async <E extends typeof accountCreated | typeof accountStatusChanged>(
      event: E,
      payload: PayloadOf<E & Event>,
    ): Promise<void> => {
      const insert = 'INSERT INTO messaging.outbox (subject, payload) VALUES ($1, $2)';
      await identity.db.query(insert, [event.subject, JSON.stringify(payload)]);
      identity.messaging.wake();
    },
    /** The broker loses its streams, and everything that identity has told so far is delivered once more. */
    tellAgain: async (): Promise<void> => {
      await eventually(async () => {
        const { rows } = await identity.db.query('SELECT FROM messaging.outbox WHERE published_at IS NULL');
        if (rows.length > 0) throw new Error('not everything has been told yet');
      });
      await nats.wipe();
      await republishSince(identity.db, new Date(0));
      identity.messaging.wake();
    },
    stop: async () => {
      await running.stop();
      await Promise.all([nats.stop(), redis.stop(), database.close(), messages.drop()]);
    },
  };
};

export type LedgerUnderTest = Awaited<ReturnType<typeof startLedger>>;
