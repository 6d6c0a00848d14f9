import { endsWithin, isServiceAway } from '@tds/base';
import { operationErrors, type RequestOf, search, searchErrors, transcriptFetcher } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { hasBegunNothing, type Kit } from '@tds/kit';
import type { Redis } from 'ioredis';
import { limitKeys } from '../admission/limits.ts';
import type { RedisGuard } from '../admission/redis-guard.ts';
import type { Surface } from '../surface.ts';

/** A request for a transcript, or for a search: the one without a video. */
type Disowned = RequestOf<typeof transcriptFetcher.disownRequest> | RequestOf<typeof search.disownSearch>;

/** A sorted set: members are requests, scores the times (ms) from which any gateway reports them. */
const KEY = limitKeys.disowned;
/** Own requests, and as many of other gateways. */
const BATCH_SIZE = 100;
const OWNER_HEAD_START_MS = 2_000;
const MAX_IN_MEMORY = 10_000;
/** About 40 MB in Redis for all gateways while no fetcher answers. */
const MAX_SHARED = 100_000;

const shareScript = `
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
return 1
`;
type WithScript = { tdsShareDisowned(key: string, ...parts: (string | number)[]): Promise<number> };

type KeptRequest = { readonly request: Disowned; isShared: boolean };

/** `now`: milliseconds, about the same in all gateways. `onLoss` gets requests that will never be reported. */
export const createKeptRequests = (
  redis: Redis,
  guard: RedisGuard,
  { now, onLoss }: { now: () => number; onLoss: (request: Disowned) => void },
) => {
  redis.defineCommand('tdsShareDisowned', { lua: shareScript, numberOfKeys: 1 });
  const scripted = redis as unknown as WithScript;
  const ownRequests = new Map<string, KeptRequest>();
  const share = async (member: string): Promise<boolean> =>
    (await guard.run(() =>
      scripted.tdsShareDisowned(KEY, MAX_SHARED, now() + OWNER_HEAD_START_MS, member),
    )) === 1;
  const dropOldest = (): void => {
    const [oldest] = ownRequests;
    if (oldest === undefined) return;
    const [member, { request, isShared }] = oldest;
    ownRequests.delete(member);
    if (!isShared) onLoss(request);
  };
  const takeFromOthers = async (): Promise<Disowned[]> => {
    const members = await guard.run(() => redis.zrangebyscore(KEY, '-inf', now(), 'LIMIT', 0, BATCH_SIZE));
    if (members === null || members.length === 0) return [];
    // If this process dies, another gateway takes them.
    await guard.run(() =>
      redis.zadd(KEY, 'XX', ...members.flatMap((each) => [now() + OWNER_HEAD_START_MS, each])),
    );
    return members
      .filter((member) => !ownRequests.has(member))
      .map((member) => JSON.parse(member) as Disowned);
  };
  return {
    /** Keeps a request here, and in Redis for the other gateways in case this process dies. */
    async keep(request: Disowned): Promise<void> {
      const member = JSON.stringify(request);
      const entry = { request, isShared: false };
      ownRequests.set(member, entry);
      if (ownRequests.size > MAX_IN_MEMORY) dropOldest();
      entry.isShared = await share(member);
    },
    /** Requests to report: own ones, and those that other gateways left. */
    async take(): Promise<readonly Disowned[]> {
      const otherRequests = await takeFromOthers();
      return [
        ...[...ownRequests.values()].slice(0, BATCH_SIZE).map(({ request }) => request),
        ...otherRequests,
      ];
    },
    /** Removes a reported request here and in Redis. */
    async forget(request: Disowned): Promise<void> {
      const member = JSON.stringify(request);
      ownRequests.delete(member);
      await guard.run(() => redis.zrem(KEY, member));
    },
  };
};

type KeptRequests = ReturnType<typeof createKeptRequests>;

const RETRY_MS = 1_000;
/** How often to look for requests that dead gateways left. */
const POLL_EVERY_MS = 5_000;
const TIMEOUT_MS = 2_000;
const SERVER_ERROR = 500;
const finalErrors: readonly string[] = [...operationErrors, ...searchErrors];

/**
 * Whether a request about to be answered with this error may have begun work that is still charged: not if the work
 * itself failed, and not if no service received the command.
 */
export const mayStillBeCharged = (error: unknown): boolean => {
  if (!(error instanceof ServiceError)) return true;
  return error.status >= SERVER_ERROR && !finalErrors.includes(error.code) && !hasBegunNothing(error);
};

export type DisownedRequests = {
  /** Call it before the 5xx is answered: from then on the request costs nothing, whatever dies. Never fails. */
  disown(request: Disowned): Promise<void>;
};

type DisowningKit = Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>;

/** Reports one request to the service that works for it; false if it has to be reported again. */
const createReport =
  ({ call, log }: DisowningKit, requests: KeptRequests) =>
  async (request: Disowned): Promise<boolean> => {
    const { requestId, accountId } = request;
    const context = { requestId, accountId, signal: AbortSignal.timeout(TIMEOUT_MS) };
    try {
      if ('videoId' in request) await call(transcriptFetcher.disownRequest, request, context);
      else await call(search.disownSearch, request, context);
    } catch (error) {
      if (isServiceAway(error)) return false;
      // Any other failure would repeat itself; operators have to look at it.
      log.error('a request was not disowned: it may be charged', { requestId, error });
    }
    await requests.forget(request);
    return true;
  };

/** Reports disowned requests until the services have acknowledged each of them. */
export const startDisowning = (kit: DisowningKit, requests: KeptRequests): DisownedRequests => {
  const report = createReport(kit, requests);
  let running: Promise<unknown> | null = null;
  let isWanted = false;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  /** Resolves to whether requests are left to report again. */
  const run = async (): Promise<boolean> => {
    for (;;) {
      isWanted = false;
      const results = await Promise.all((await requests.take()).map(report));
      const hasMore = isWanted || (results.length >= BATCH_SIZE && !results.includes(false));
      if (!hasMore) return results.includes(false);
    }
  };
  const reportKept = (): void => {
    isWanted = true;
    clearTimeout(timer);
    running ??= run().then((hasRemaining) => {
      running = null;
      if (!isStopping) timer = setTimeout(reportKept, hasRemaining || isWanted ? RETRY_MS : POLL_EVERY_MS);
    });
  };
  reportKept();
  kit.onStop('disowned requests', async () => {
    isStopping = true;
    reportKept();
    // Requests without an acknowledgement stay in Redis for the other gateways.
    if (running) await endsWithin(running, TIMEOUT_MS);
  });
  return {
    async disown(request) {
      await requests.keep(request);
      reportKept();
    },
  };
};
