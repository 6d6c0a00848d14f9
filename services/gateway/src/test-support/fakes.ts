import {
  archiver,
  billing,
  bulkOrchestrator,
  type Contract,
  creditsLedger,
  identity,
  monitorScheduler,
  type Principal,
  search,
  status,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createFake, type Fake, type Harness } from '@tds/kit/testing';
import { newAccountFacts, newApiKey, newBalance, newKeyPhase } from './builders.ts';
import { fakeConnections } from './connections.ts';
import { createFakeFetcher } from './fake-fetcher.ts';
import { newFeed, newMonitor } from './monitors.ts';
import { newStatusReport } from './observed.ts';
import { fakePeople } from './people.ts';
import { newCheckout, newPurchase, newRefill } from './purchases.ts';
import { newDelivery, newReceiver, newWebhook } from './webhooks.ts';

const startFake = async <C extends Contract>(servers: Harness, fake: Fake<C>) => {
  const { stop } = await servers.start(fake.service);
  return { commands: fake.commands, asked: fake.requests, kit: fake.kit(), stop };
};

/** `principals` by the digest of their keys: a busy machine's Redis may be late, and then identity is asked. */
const startIdentity = (servers: Harness, principals: ReadonlyMap<string, Principal>) =>
  startFake(
    servers,
    createFake(identity, {
      requestCode: async () => ({}),
      verifyCode: async () => {
        throw serviceError('invalid_code');
      },
      endSession: async () => ({}),
      listSessions: async () => ({ sessions: [] }),
      endSessions: async () => ({ ended: 1 }),
      authenticateKey: async ({ keyDigest }) => {
        const principal = principals.get(keyDigest);
        if (principal === undefined) throw serviceError('invalid_api_key');
        return principal;
      },
      authenticateSession: async () => {
        throw serviceError('session_required');
      },
      listKeys: async () => ({ keys: [newApiKey()], live_keys: 1, key_limit: 2 }),
      createKey: async ({ name, dailyCreditCap, keyPrefix: prefix }) => ({
        key: newApiKey({ name, daily_credit_cap: dailyCreditCap, prefix }),
      }),
      createDashboardKey: async ({ keyId: id, keyPrefix: prefix, keyDigest }) => ({
        key: { id, prefix },
        keyDigest,
      }),
      updateKey: async ({ keyId }) => ({ key: newApiKey({ id: keyId }) }),
      revokeKey: async ({ keyId }) => ({ key: newApiKey({ id: keyId, status: 'revoked' }) }),
      rotateKey: async ({ keyId, keyPrefix: prefix }) => ({
        key: newApiKey({ prefix }),
        replaced: newApiKey({ id: keyId, status: 'revoking' }),
      }),
      getKeyPhase: async () => newKeyPhase(),
      ...fakeConnections(),
      ...fakePeople(),
      getAccount: async ({ accountId: id }) => newAccountFacts({ id }),
      changeMailChoices: async () => ({ time_zone: 'UTC', digest_hour: 8, digest_day: 1, event_mails: true }),
      stopEventMails: async () => ({}),
      getMailOfWork: async ({ default: mail }) => ({ mail, is_chosen: false }),
      chooseMailOfWork: async ({ mail }) => ({ mail: mail ?? 'none', is_chosen: mail !== null }),
      nameAccount: async ({ accountId: id, name }) => ({ account: { id, name } }),
      closeAccount: async () => ({ closedAt: '2026-01-15T12:00:00.000Z' }),
    }),
  );

const startLedger = (servers: Harness) =>
  startFake(
    servers,
    createFake(creditsLedger, {
      getBalance: async ({ accountId }) => newBalance(accountId),
      setMailThreshold: async () => ({}),
      getDayUsage: async () => ({
        requests: 0,
        cacheHits: 0,
        coldDeliveries: 0,
        jobRows: 0,
        searchPages: 0,
        failures: 0,
        creditsCharged: 0,
      }),
      recordUsage: async () => ({ isNew: true }),
      recordRequests: async ({ requests }) => ({ added: requests.length }),
      listRequests: async () => ({ requests: [], total: 0, isKnownKey: true }),
      getRequest: async () => {
        throw serviceError('request_not_logged');
      },
      getUsage: async () => ({ rows: [], isKnownKey: true }),
      getLedger: async () => ({ rows: [], asOf: 0, total: 0, seal: null, isKnownKey: true }),
    }),
  );

const startFetcher = (servers: Harness) => startFake(servers, createFakeFetcher());

const startSearch = (servers: Harness) =>
  startFake(
    servers,
    createFake(search, {
      listVideos: async () => {
        throw serviceError('source_not_found');
      },
      resolveChannel: async ({ channel: channelId }) => ({ channelId }),
      resolveVideos: async ({ videoIds }) => ({ found: [], notFound: videoIds, unanswered: [], list: null }),
      searchPage: async () => ({ results: [], continuation: null, creditsCharged: 0 }),
      waiveSearch: async () => ({}),
    }),
  );

const unknownJob = async (): Promise<never> => {
  throw serviceError('job_not_found');
};

const startJobs = (servers: Harness) =>
  startFake(
    servers,
    createFake(bulkOrchestrator, {
      ...{ getJob: unknownJob, getJobSummary: unknownJob, listJobVideos: unknownJob },
      ...{ cancelJob: unknownJob, retryJob: unknownJob, deleteJob: unknownJob },
      ...{ getJobManifest: unknownJob, getJobFile: unknownJob },
      createJob: async () => {
        throw serviceError('empty_list');
      },
      listJobs: async () => ({ jobs: [], total: 0 }),
    }),
  );

const startArchives = (servers: Harness) =>
  startFake(servers, createFake(archiver, { getArchive: unknownJob, getDocument: unknownJob }));

const showRefill = async () => ({ refill: newRefill() });

const startBilling = (servers: Harness) =>
  startFake(
    servers,
    createFake(billing, {
      listPrices: async () => ({ currency: 'usd', blocks: [{ block: 20, amount: 900 }] }),
      openCheckout: async ({ block }) => newCheckout(block),
      cancelCheckout: async () => ({ isClosed: true }),
      acceptPurchase: async ({ purchaseId }) => ({ purchase: newPurchase(purchaseId) }),
      requestRefund: async () => ({
        refund: { id: '0199c3a0-0000-7000-8000-000000000002', status: 'pending' },
      }),
      ...{ getRefill: showRefill, putRefill: showRefill, endRefill: showRefill },
      openCardPage: async () => ({ url: 'https://pay.example/card' }),
      openPortal: async () => ({ url: 'https://pay.example/portal' }),
      listPurchases: async () => ({ purchases: [], total: 0 }),
      receivePaymentEvent: async () => ({ isNew: true }),
    }),
  );

const startWebhooks = (servers: Harness) =>
  startFake(
    servers,
    createFake(webhookDispatcher, {
      readAppDocument: async () => ({ document: null }),
      getWebhook: async () => ({ webhook: newWebhook() }),
      putWebhook: async ({ url, lowBalanceThreshold, rotateSecret }) => ({
        webhook: newWebhook({ url, low_balance_threshold: lowBalanceThreshold }),
        isSecretTaken: rotateSecret,
      }),
      deleteWebhook: async () => ({ isDeleted: true }),
      sendTestEvent: async () => ({ delivery: newDelivery({ event: 'webhook.test' }) }),
      listDeliveries: async () => ({ deliveries: [newDelivery()], total: 1 }),
      getDelivery: async ({ deliveryId }) => ({
        delivery: newDelivery({ id: deliveryId }),
        attempts: [],
        body: '{}',
      }),
      resendDelivery: async ({ deliveryId }) => ({ delivery: newDelivery({ resent_from: deliveryId }) }),
      listReceivers: async () => ({ receivers: [newReceiver()] }),
      getReceiver: async ({ receiverId: id }) => ({ receiver: newReceiver({ id }) }),
      createReceiver: async ({ name, form, events }) => ({
        receiver: newReceiver({ name, form, events }),
        isSecretTaken: form === 'signed',
      }),
      changeReceiver: async ({ receiverId: id, rotateSecret }) => ({
        receiver: newReceiver({ id }),
        isSecretTaken: rotateSecret,
      }),
      deleteReceiver: async () => ({ deleted: true as const }),
      testReceiver: async ({ receiverId }) => ({
        delivery: newDelivery({ event: 'webhook.test', receiver_id: receiverId }),
      }),
      replayReceiver: async () => ({ replayed: 1, is_complete: true }),
    }),
  );

const startStatus = (servers: Harness) =>
  startFake(
    servers,
    createFake(status, {
      getStatus: async () => newStatusReport(),
      getHistory: async () => ({ days: [], incidents: [] }),
      recordLatency: async () => ({}),
    }),
  );

const startMonitors = (servers: Harness) =>
  startFake(
    servers,
    createFake(monitorScheduler, {
      createMonitor: async () => ({ monitor: newMonitor(), isIdempotent: false }),
      listMonitors: async () => ({ monitors: [newMonitor()], total: 1 }),
      getMonitor: async ({ monitorId }) => ({ monitor: newMonitor({ id: monitorId }) }),
      listMonitorVideos: async () => ({ videos: [], total: 0 }),
      listFeeds: async () => ({ feeds: [] }),
      changeFeed: async ({ monitorId }) => ({ feed: newFeed(monitorId) }),
      getFeed: async ({ feedId }) => ({ accountId: feedId, feed: newFeed(null, feedId), monitor: null }),
      changeMonitor: async ({ monitorId }) => ({ monitor: newMonitor({ id: monitorId }) }),
      cancelMonitor: async ({ monitorId }) => ({
        monitor: newMonitor({ id: monitorId, status: 'cancelled', cancelled_at: '2026-01-15T12:00:00.000Z' }),
      }),
    }),
  );

type Started<Fakes> = { readonly [Name in keyof Fakes]: Awaited<Fakes[Name]> };

const together = async <Fakes extends Readonly<Record<string, Promise<unknown>>>>(
  starting: Fakes,
): Promise<Started<Fakes>> => {
  const started = Object.entries(starting).map(async ([name, fake]) => [name, await fake]);
  return Object.fromEntries(await Promise.all(started)) as Started<Fakes>;
};

/** Every service that the gateway calls. */
export const startFakes = (servers: Harness, principals: ReadonlyMap<string, Principal>) =>
  together({
    identity: startIdentity(servers, principals),
    ledger: startLedger(servers),
    fetcher: startFetcher(servers),
    search: startSearch(servers),
    jobs: startJobs(servers),
    archives: startArchives(servers),
    webhooks: startWebhooks(servers),
    billing: startBilling(servers),
    status: startStatus(servers),
    monitors: startMonitors(servers),
  });
