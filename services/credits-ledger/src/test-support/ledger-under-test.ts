import { randomUUID } from 'node:crypto';
import { creditsLedger, type Event, identity, type PayloadOf } from '@tds/contracts';
import { republishSince, startServices } from '@tds/service-kit';
import { callerOf, fakeOf, observed } from '@tds/service-kit/testing';
import { createTestDatabase, eventually, patience, startTestNats, startTestRedis } from '@tds/test-kit';
import { service } from '../index.ts';
import { openLedgerDatabase } from './ledger-database.ts';

export const callContext = () => ({
  requestId: randomUUID(),
  accountId: null,
  signal: new AbortController().signal,
});

/** The ledger on real servers, called over the bus as other services call it. */
export const startLedger = async (environment: NodeJS.ProcessEnv = {}) => {
  const [database, messages, nats, redis] = await Promise.all([
    openLedgerDatabase(),
    createTestDatabase('messaging'),
    startTestNats(),
    startTestRedis(),
  ]);
  const caller = callerOf(creditsLedger, creditsLedger.creditsGranted);
  const fakeIdentity = fakeOf(identity);
  const ledger = observed(service);
  const shared = {
    NATS_URL: nats.servers,
    REDIS_URL: redis.url,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...patience,
  };
  const running = await startServices([ledger.service, caller.service, fakeIdentity.service], {
    'credits-ledger': { ...shared, DATABASE_URL: database.url, ...environment },
    gateway: shared,
    identity: { ...shared, DATABASE_URL: messages.url },
  });
  const teller = fakeIdentity.kit();
  return {
    database,
    redis,
    call: caller.call,
    /** Events of grants, as others receive them. */
    granted: caller.received(creditsLedger.creditsGranted),
    /** Every event that a subscription has dealt with. */
    handled: ledger.handled,
    identity: teller,
    /** Tells of an account as identity would. */
    tell: async <E extends typeof identity.accountCreated | typeof identity.accountStatusChanged>(
      event: E,
      payload: PayloadOf<E & Event>,
    ): Promise<void> => {
      const insert = 'INSERT INTO messaging.outbox (subject, payload) VALUES ($1, $2)';
      await teller.db.query(insert, [event.subject, JSON.stringify(payload)]);
      teller.messaging.wake();
    },
    /** The broker loses its streams, and everything that identity has told so far is delivered once more. */
    tellAgain: async (): Promise<void> => {
      await eventually(async () => {
        const { rows } = await teller.db.query('SELECT FROM messaging.outbox WHERE published_at IS NULL');
        if (rows.length > 0) throw new Error('not everything has been told yet');
      });
      await nats.wipe();
      await republishSince(teller.db, new Date(0));
      teller.messaging.wake();
    },
    stop: async () => {
      await running.stop();
      await Promise.all([nats.stop(), redis.stop(), database.close(), messages.drop()]);
    },
  };
};

export type LedgerUnderTest = Awaited<ReturnType<typeof startLedger>>;
