import { randomUUID } from 'node:crypto';
import { COLD_WAIT_MS, type RequestOf, type TranscriptAnswer, transcriptFetcher } from '@tds/contracts';
import { startPlatformSimulator } from '@tds/platform-simulator';
import { type Bodies, startServices } from '@tds/service-kit';
import { type Caller, callerOf } from '@tds/service-kit/testing';
import {
  createTestDatabase,
  patience,
  startTestNats,
  startTestRedis,
  type TestDatabase,
} from '@tds/test-kit';
import type { Overrides } from '../deps.ts';
import { service } from '../index.ts';
import { createFakeLedger } from './fake-ledger.ts';

/** The fetcher on real servers, between a platform simulator and a scripted ledger. */
export async function startFetcher(overrides: Overrides = {}) {
  const [nats, redis, database, objects, simulator] = await Promise.all([
    startTestNats(),
    startTestRedis(),
    createTestDatabase('transcript-fetcher'),
    createTestDatabase('objects'),
    startPlatformSimulator({}),
  ]);
  const ledger = createFakeLedger();
  const caller = callerOf(transcriptFetcher);
  const shared = {
    NATS_URL: nats.servers,
    REDIS_URL: redis.url,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...patience,
  };
  const environmentOf = {
    'credits-ledger': shared,
    gateway: shared,
    'transcript-fetcher': {
      ...shared,
      DATABASE_URL: database.url,
      OBJECTS_DATABASE_URL: objects.url,
      PLATFORM_ORIGIN: simulator.origin,
    },
  };
  const startFetcherService = () => startServices([service.with(overrides)], environmentOf);
  const others = await startServices([ledger.service, caller.service], environmentOf);
  let fetcher = await startFetcherService();
  const added: (typeof fetcher)[] = [];
  return {
    ledger,
    simulator,
    database,
    objects,
    redis,
    /** What the gateway finds. */
    bodies: (): Bodies => caller.kit().bodies,
    ...requests(caller.call),
    async restart() {
      await fetcher.stop();
      fetcher = await startFetcherService();
    },
    /** Another instance on the same servers. */
    async addInstance() {
      added.push(await startFetcherService());
    },
    async stop() {
      await Promise.all([fetcher, ...added].map((instance) => instance.stop()));
      await others.stop();
      await Promise.all([simulator.close(), nats.stop(), redis.stop()]);
      await Promise.all([database.drop(), objects.drop()] satisfies Promise<void>[]);
    },
  };
}

export type TestFetcher = Awaited<ReturnType<typeof startFetcher>> & { readonly database: TestDatabase };

const requests = (call: Caller<typeof transcriptFetcher>['call']) => {
  const signal = AbortSignal.timeout(600_000);
  /** Each call is a caller's request of its own unless told otherwise. */
  const contextOf = (requestId: string = randomUUID()) => ({ requestId, accountId: null, signal });
  const account = randomUUID();
  return {
    account,
    get: (
      given: Partial<RequestOf<typeof transcriptFetcher.getTranscript>> & { videoId: string },
    ): Promise<TranscriptAnswer> =>
      call(
        transcriptFetcher.getTranscript,
        {
          language: 'en',
          fallback: true,
          format: 'json',
          accountId: account,
          keyId: randomUUID(),
          tier: 'free',
          accountCreatedAt: '2026-01-01T00:00:00.000Z',
          requestId: randomUUID(),
          cacheOnly: false,
          waitMs: COLD_WAIT_MS,
          ...given,
        },
        contextOf(given.requestId),
      ),
    poll: (
      requestId: string,
      { by, ...given }: { accountId?: string; waitMs?: number; by?: string } = {},
    ): Promise<TranscriptAnswer> =>
      call(
        transcriptFetcher.pollRequest,
        { accountId: account, requestId, waitMs: COLD_WAIT_MS, ...given },
        contextOf(by),
      ),
    /** As a gateway that has answered the request with a 5xx. */
    disown: (requestId: string, { videoId, accountId = account }: { videoId: string; accountId?: string }) =>
      call(
        transcriptFetcher.disownRequest,
        {
          ...{ videoId, language: 'en', fallback: true, format: 'json' },
          ...{ accountId, keyId: randomUUID(), requestId },
        },
        contextOf(requestId),
      ),
    facts: (videoId: string) => call(transcriptFetcher.getVideoFacts, { videoId }, contextOf()),
  };
};
