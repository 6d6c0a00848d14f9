import { randomUUID } from 'node:crypto';
import type { Bodies } from '@tds/base';
import { createTestPool } from '@tds/base/testing';
import {
  COLD_WAIT_MS,
  type RequestOf,
  type ServiceName,
  type TranscriptAnswer,
  transcriptFetcher,
} from '@tds/contracts';
import { type Caller, createCaller, observeService, startHarness } from '@tds/kit/testing';
import { startPlatformSimulator } from '@tds/simulators/platform';
import { dueRows, eventually, startTestRedis } from '@tds/test-kit';
import type { Overrides } from '../create-deps.ts';
import { service } from '../index.ts';
import { surface } from '../surface.ts';
import { batchCalls } from './batches.ts';
import { createFakeIdentity } from './fake-identity.ts';
import { createLedger } from './ledger.ts';

/** Direct access to the service's database. */
export const openDatabase = (url: string) => {
  const pool = createTestPool(url);
  return {
    query: async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
      (await pool.query(sql, [...values])).rows as Row[],
    close: () => pool.end(),
  };
};

/** `emitters` are services whose fakes emit events. Real servers, a platform simulator and a fake ledger, without a fetcher. */
export async function startSurroundings(
  settings: NodeJS.ProcessEnv = {},
  emitters: readonly ServiceName[] = [],
) {
  const [harness, simulator] = await Promise.all([
    startHarness({
      databases: {
        'transcript-fetcher': 'transcript-fetcher',
        ...Object.fromEntries(emitters.map((name) => [name, 'messaging'])),
      },
      objects: [surface],
      redis: startTestRedis(),
    }),
    startPlatformSimulator({}),
  ]);
  const { 'transcript-fetcher': database } = harness.databases;
  const ledger = createLedger();
  const identity = createFakeIdentity();
  const caller = createCaller(transcriptFetcher);
  const startLedger = () => harness.start(ledger.service);
  const [ledgerAtFirst] = await Promise.all([
    startLedger(),
    ...[identity, caller].map(({ service }) => harness.start(service)),
  ]);
  const rows = openDatabase(database.url);
  const waiting = dueRows('transcript-fetcher', rows.query);
  const environment = { PLATFORM_ORIGIN: simulator.origin, ORPHANED_AFTER: '0ms', ...settings };
  return {
    ledger,
    identity,
    simulator,
    database,
    /** Connects as the owner of all objects. */
    objectsUrl: String(harness.objects?.ownerUrl),
    redis: harness.redis,
    scrape: () => harness.scrape('transcript-fetcher'),
    query: rows.query,
    rows: waiting,
    /** Ends `ledger.setAway(true)`; settlements do not wait for their next try. */
    async restoreLedger(): Promise<void> {
      ledger.setAway(false);
      await waiting.makeDue('settlements');
    },
    /** Runs `ask` while the ledger is down. */
    async withoutLedger<T>(ask: () => Promise<T>): Promise<T> {
      await ledgerAtFirst.stop();
      return await ask().finally(startLedger);
    },
    /** Delays the platform until the video has `operations` under way, so that a busy machine misses none. */
    async whileUnderWay<T>(videoId: string, operations: number, ask: () => Promise<T>): Promise<T> {
      const release = simulator.hold();
      const underWay = `SELECT FROM operations WHERE video_id = $1 AND state = 'fetching'`;
      const areUnderWay = async () => {
        const found = await rows.query(underWay, [videoId]);
        if (found.length < operations) throw new Error(`${found.length} operations are under way`);
      };
      const [answer] = await Promise.all([ask(), eventually(areUnderWay).finally(release)]);
      return answer;
    },
    /** The projection that the gateway reads. */
    bodies: (): Bodies => caller.kit().bodies,
    call: caller.call,
    ...requests(caller.call),
    /** Starts the fake of another service. */
    startFake: harness.start,
    library: libraryCalls(caller.call),
    batches: batchCalls(caller.call),
    /** Environment for a fetcher in its own process. */
    environment: { ...harness.environmentOf('transcript-fetcher'), ...environment },
    async startInstance(overrides: Overrides = {}) {
      const own = observeService(service.with(overrides));
      const running = await harness.start(own.service, environment);
      return { ...running, kit: own.kit, handlers: own.handlers };
    },
    async stop() {
      await rows.close();
      await harness.stop();
      await simulator.close();
    },
  };
}

/** Surroundings with a fetcher. */
export async function startFetcher(
  overrides: Overrides = {},
  environment: NodeJS.ProcessEnv = {},
  emitters: readonly ServiceName[] = [],
) {
  const { startInstance, ...surroundings } = await startSurroundings(environment, emitters);
  let fetcher = await startInstance(overrides);
  return {
    ...surroundings,
    kit: () => fetcher.kit(),
    handlers: () => fetcher.handlers(),
    async restart() {
      await fetcher.stop();
      fetcher = await startInstance(overrides);
    },
    /** Another instance on the same servers. */
    addInstance: () => startInstance(overrides),
  };
}

export type TestFetcher = Awaited<ReturnType<typeof startFetcher>>;

type LibraryRequest<Name extends 'listLibrary' | 'searchLibrary'> = Partial<
  RequestOf<(typeof transcriptFetcher)[Name]>
>;

const libraryCalls = (call: Caller<typeof transcriptFetcher>['call']) => {
  const createContext = () => ({
    requestId: randomUUID(),
    accountId: null,
    signal: AbortSignal.timeout(600_000),
  });
  return {
    list: (accountId: string, fields: LibraryRequest<'listLibrary'> = {}) =>
      call(transcriptFetcher.listLibrary, { accountId, limit: 50, offset: 0, ...fields }, createContext()),
    search: (accountId: string, q: string, fields: LibraryRequest<'searchLibrary'> = {}) =>
      call(transcriptFetcher.searchLibrary, { accountId, q, limit: 50, offset: 0, ...fields }, createContext()),
    record: (reads: RequestOf<typeof transcriptFetcher.recordReads>['reads']) =>
      call(transcriptFetcher.recordReads, { reads }, createContext()),
  };
};

const requests = (call: Caller<typeof transcriptFetcher>['call']) => {
  const signal = AbortSignal.timeout(600_000);
  /** Each call is a new request unless `requestId` is given. */
  const createContext = (requestId: string = randomUUID()) => ({ requestId, accountId: null, signal });
  const account = randomUUID();
  return {
    account,
    get: ({
      requestId = randomUUID(),
      ...fields
    }: Partial<RequestOf<typeof transcriptFetcher.getTranscript>> & {
      videoId: string;
    }): Promise<TranscriptAnswer> =>
      call(
        transcriptFetcher.getTranscript,
        {
          language: 'en',
          fallback: true,
          format: 'json',
          accountId: account,
          keyId: randomUUID(),
          limitId: randomUUID(),
          tier: 'free',
          accountCreatedAt: '2026-01-01T00:00:00.000Z',
          cacheOnly: false,
          waitMs: COLD_WAIT_MS,
          ...fields,
          requestId,
        },
        // The charge is reported to the request that opened the read.
        createContext(requestId),
      ),
    poll: (
      requestId: string,
      { by, ...fields }: Partial<RequestOf<typeof transcriptFetcher.pollRequest>> & { by?: string } = {},
    ): Promise<TranscriptAnswer> =>
      call(
        transcriptFetcher.pollRequest,
        { accountId: account, requestId, waitMs: COLD_WAIT_MS, ...fields },
        createContext(by),
      ),
    /** Waives a request like a gateway that answered it with a 5xx. */
    waive: (requestId: string, { videoId, accountId = account }: { videoId: string; accountId?: string }) => {
      const selection = { videoId, language: 'en', fallback: true, format: 'json' } as const;
      const request = { ...selection, accountId, keyId: randomUUID(), requestId };
      return call(transcriptFetcher.waiveRequest, request, createContext(requestId));
    },
    waivePoll: (requestId: string, polledId: string, accountId = account) =>
      call(
        transcriptFetcher.waivePoll,
        { accountId, keyId: randomUUID(), requestId, polledId },
        createContext(requestId),
      ),
    findCachedVideos: async (videoIds: string[]) =>
      (await call(transcriptFetcher.findCachedVideos, { videoIds }, createContext())).cached,
    facts: (videoId: string) => call(transcriptFetcher.getVideoFacts, { videoId }, createContext()),
    languages: (videoId: string, fields: Partial<RequestOf<typeof transcriptFetcher.listLanguages>> = {}) =>
      call(
        transcriptFetcher.listLanguages,
        {
          ...{ accountId: account, tier: 'paid', accountCreatedAt: '2026-01-01T00:00:00.000Z' },
          ...{ cacheOnly: false, videoId, ...fields },
        },
        createContext(),
      ),
  };
};
