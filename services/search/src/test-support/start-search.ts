import { randomUUID } from 'node:crypto';
import { type ReplyOf, type RequestOf, search, transcriptFetcher } from '@tds/contracts';
import { createCaller, createFake, observeService, startHarness, testContext } from '@tds/kit/testing';
import { fakeLedger } from '@tds/reservations/testing';
import { startPlatformSimulator } from '@tds/simulators/platform';
import { fakeClock } from '@tds/test-kit';
import type { Deps } from '../deps.ts';
import { service } from '../index.ts';

export type RequestFields<Name extends 'listVideos' | 'searchPage' | 'resolveVideos'> = Partial<
  RequestOf<(typeof search)[Name]>
>;

/** Longer than any wait: a hanging test is ended by its own timeout. */
const TIMEOUT_MS = 600_000;
const NOON = '2026-11-20T12:00:00.000Z';

/** The service on real servers, with a simulated platform, a ledger in memory and a scripted cache. */
type Options = {
  readonly limits?: Partial<Deps['limits']>;
  readonly environment?: NodeJS.ProcessEnv;
  /** A caller's time limit. */
  readonly timeoutMs?: number;
};

export async function startSearch({ limits = {}, environment = {}, timeoutMs = TIMEOUT_MS }: Options = {}) {
  const [harness, simulator] = await Promise.all([
    startHarness({ databases: { search: 'search' } }),
    startPlatformSimulator({}),
  ]);
  const clock = fakeClock(NOON);
  const ledger = fakeLedger({ free: 10_000 });
  /** Ids with the dates of their transcripts. */
  const cachedVideos = new Map<string, string | null>();
  const cache = createFake(transcriptFetcher, {
    findCachedVideos: async ({ videoIds }) => ({
      cached: videoIds.flatMap((id) => {
        const published_at = cachedVideos.get(id);
        return published_at === undefined ? [] : [{ id, published_at, original_language: null }];
      }),
    }),
  });
  const caller = createCaller(search);
  const settings = {
    PLATFORM_ORIGIN: simulator.origin,
    PLATFORM_DATA_API_ORIGIN: simulator.origin,
    ...environment,
  };
  for (const other of [ledger.service, cache.service, caller.service]) await harness.start(other);
  const own = observeService(service.with({ now: clock.now, limits }));
  const start = () => harness.start(own.service, settings);
  let running = await start();
  const account = randomUUID();
  const key = randomUUID();
  /** Each key has its own slot by default. */
  const toCaller = ({ keyId = key }: { readonly keyId?: string | undefined }) => ({
    ...{ accountId: account, keyId, limitId: keyId, tier: 'free' as const },
  });
  const context = () => ({
    requestId: randomUUID(),
    accountId: account,
    signal: AbortSignal.timeout(timeoutMs),
  });
  return {
    ...{ harness, simulator, clock, ledger, cache, cachedVideos, account, key, environment: settings },
    database: harness.databases.search,
    handlers: own.handlers,
    kit: own.kit,
    list: (
      input: string,
      fields: RequestFields<'listVideos'> = {},
    ): Promise<ReplyOf<typeof search.listVideos>> =>
      caller.call(
        search.listVideos,
        {
          ...toCaller(fields),
          input,
          contents: 'all',
          offset: 0,
          waitMs: 25_000,
          startsNothing: false,
          ...fields,
        },
        context(),
      ),
    resolve: (videoIds: string[], fields: RequestFields<'resolveVideos'> = {}) =>
      caller.call(search.resolveVideos, { ...toCaller(fields), videoIds, ...fields }, context()),
    /** Not over the bus: a job waits 300 ms for dates, which a busy machine exceeds. */
    dates: (videoIds: string[], fields: { accountId?: string } = {}) =>
      own
        .handlers()
        .commands.findPublishDates(
          { accountId: account, tier: 'free', videoIds, ...fields },
          testContext(context()),
        ),
    find: (query: string, fields: RequestFields<'searchPage'> = {}) => {
      const question = {
        query,
        type: 'video' as const,
        channel: null,
        continuation: null,
        requestId: randomUUID(),
      };
      return caller.call(search.searchPage, { ...toCaller(fields), ...question, ...fields }, context());
    },
    resolveChannel: (channel: string, accountId: string = account) =>
      caller.call(search.resolveChannel, { accountId, channel }, context()),
    waive: (requestId: string) =>
      caller.call(search.waiveSearch, { accountId: account, keyId: key, requestId }, context()),
    async restart() {
      await running.stop();
      running = await start();
    },
    stopService: () => running.stop(),
    async startService() {
      running = await start();
    },
    async stop() {
      await harness.stop();
      await simulator.close();
    },
  };
}
export type TestSearch = Awaited<ReturnType<typeof startSearch>>;

/** The page of a listing; throws if it is pending. */
export const shownPage = (reply: ReplyOf<typeof search.listVideos>) => {
  if (reply.state !== 'page') throw new Error('the listing is pending');
  return reply;
};
