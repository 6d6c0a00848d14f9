import { creditsLedger, identity, status, webhookDispatcher } from '@tds/contracts';
import { createCaller, createFake, observeService, startHarness } from '@tds/kit/testing';
import { republishSince } from '@tds/messaging/admin';
import { eventually, startTestRedis } from '@tds/test-kit';
import type { Deps } from '../deps.ts';
import { service } from '../index.ts';
import { connectLedgerDatabase } from './ledger-database.ts';
import { openTestMonths } from './months.ts';
import { createRequests } from './requests.ts';

/** The ledger on real servers, called over the bus. */
export const startLedger = async (environment: NodeJS.ProcessEnv = {}, overrides: Partial<Deps> = {}) => {
  const harness = await startHarness({
    databases: {
      'credits-ledger': 'credits-ledger',
      identity: 'messaging',
      status: 'messaging',
      'webhook-dispatcher': 'messaging',
    },
    redis: startTestRedis(),
  });
  const { nats, redis } = harness;
  const caller = createCaller(creditsLedger, creditsLedger.creditsGranted, creditsLedger.balanceRanLow);
  const [fakeIdentity, fakeStatus, dispatcher] = [
    createFake(identity),
    createFake(status),
    createFake(webhookDispatcher),
  ];
  const ledger = observeService(service.with(overrides));
  await Promise.all([
    harness.start(ledger.service, environment),
    harness.start(caller.service),
    harness.start(fakeIdentity.service),
    harness.start(fakeStatus.service),
    harness.start(dispatcher.service),
  ]);
  const database = connectLedgerDatabase(harness.databases['credits-ledger']);
  await openTestMonths(database.owner);
  const identityKit = fakeIdentity.kit();
  return {
    database,
    redis,
    caller,
    dispatcher,
    call: caller.call,
    requests: createRequests(caller),
    /** Received grant events. */
    granted: caller.received(creditsLedger.creditsGranted),
    /** Events that a subscription has handled. */
    handled: ledger.handled,
    kit: ledger.kit,
    handlers: ledger.handlers,
    identityKit,
    /** Emits an event of identity. */
    emit: fakeIdentity.emit,
    /** Emits that a day was an outage. */
    evaluate: (day: string) =>
      fakeStatus.emit(status.outageDayEvaluated, { day, observedSlots: 144, outageSlots: 24 }),
    /** Deletes the broker's streams and delivers all events of identity again. */
    redeliver: async (): Promise<void> => {
      await eventually(async () => {
        const { rows } = await identityKit.db.query('SELECT FROM messaging.outbox WHERE published_at IS NULL');
        if (rows.length > 0) throw new Error('not everything has been published yet');
      });
      await nats.wipe();
      await republishSince(identityKit.db, new Date(0));
      identityKit.messaging.wake();
    },
    stop: async () => {
      await database.disconnect();
      await harness.stop();
    },
  };
};

export type TestLedger = Awaited<ReturnType<typeof startLedger>>;
