import { endsWithin, isServiceAway } from '@tds/base';
import { operationErrors, type RequestOf, search, searchErrors, transcriptFetcher } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { hasBegunNothing, type Kit } from '@tds/kit';
import { defineScript, type RedisGuard, redisKeys } from '../redis/index.ts';
import type { Surface } from '../surface.ts';

/** A request for a transcript, a poll of one, or a search: the one without a video or a polled request. */
type Waived =
  | RequestOf<typeof transcriptFetcher.waiveRequest>
  | RequestOf<typeof transcriptFetcher.waivePoll>
  | RequestOf<typeof search.waiveSearch>;

/** A sorted set: members are requests, scores the times (ms) from which any gateway reports them. */
const KEY = redisKeys.waived;
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

type WaivingKit = Pick<Kit<Surface>, 'call' | 'log' | 'onStop' | 'redis'>;

type KeptRequest = { readonly request: Waived; isShared: boolean };

/** `now`: about the same in all gateways. */
const createKeptRequests = ({ redis, log }: WaivingKit, guard: RedisGuard, now: () => Date) => {
  const shareWaived = defineScript<number>(redis, 'tdsShareWaived', shareScript);
  const own = new Map<string, KeptRequest>();
  const share = async (member: string): Promise<boolean> =>
    (await guard.run(() => shareWaived([KEY], MAX_SHARED, now().getTime() + OWNER_HEAD_START_MS, member))) ===
    1;
  const dropOldest = (): void => {
    const [oldest] = own;
    if (oldest === undefined) return;
    const [member, { request, isShared }] = oldest;
    own.delete(member);
    const { requestId } = request;
    if (!isShared) log.error('a request was not waived: it may be charged', { requestId });
  };
  const takeFromOthers = async (): Promise<Waived[]> => {
    const members = await guard.run(() =>
      redis.zrangebyscore(KEY, '-inf', now().getTime(), 'LIMIT', 0, BATCH_SIZE),
    );
    if (members === null || members.length === 0) return [];
    // If this process dies, another gateway takes them.
    await guard.run(() =>
      redis.zadd(KEY, 'XX', ...members.flatMap((each) => [now().getTime() + OWNER_HEAD_START_MS, each])),
    );
    return members.filter((member) => !own.has(member)).map((member) => JSON.parse(member) as Waived);
  };
  return {
    /** Keeps a request here, and in Redis for the other gateways in case this process dies. */
    async keep(request: Waived): Promise<void> {
      const member = JSON.stringify(request);
      const entry = { request, isShared: false };
      own.set(member, entry);
      if (own.size > MAX_IN_MEMORY) dropOldest();
      entry.isShared = await share(member);
    },
    /** Requests to report: own ones, and those that other gateways left. */
    async take(): Promise<readonly Waived[]> {
      const others = await takeFromOthers();
      return [...[...own.values()].slice(0, BATCH_SIZE).map(({ request }) => request), ...others];
    },
    /** Removes a reported request here and in Redis. */
    async forget(request: Waived): Promise<void> {
      const member = JSON.stringify(request);
      own.delete(member);
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

/** Reports one request to the service that works for it; false if it has to be reported again. */
const createReport =
  ({ call, log }: WaivingKit, requests: KeptRequests) =>
  async (request: Waived): Promise<boolean> => {
    const { requestId, accountId } = request;
    const context = { requestId, accountId, signal: AbortSignal.timeout(TIMEOUT_MS) };
    try {
      if ('videoId' in request) await call(transcriptFetcher.waiveRequest, request, context);
      else if ('polledId' in request) await call(transcriptFetcher.waivePoll, request, context);
      else await call(search.waiveSearch, request, context);
    } catch (error) {
      if (isServiceAway(error)) return false;
      // Any other failure would repeat itself; operators have to look at it.
      log.error('a request was not waived: it may be charged', { requestId, error });
    }
    await requests.forget(request);
    return true;
  };

/** Reports waived requests until the services have acknowledged each of them. */
export const startWaiving = (kit: WaivingKit, guard: RedisGuard, now: () => Date) => {
  const requests = createKeptRequests(kit, guard, now);
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
  kit.onStop('waived requests', async () => {
    isStopping = true;
    reportKept();
    // Requests without an acknowledgement stay in Redis for the other gateways.
    if (running) await endsWithin(running, TIMEOUT_MS);
  });
  return {
    /** Call it before the 5xx is answered: from then on the request costs nothing, whatever dies. Never fails. */
    async waive(request: Waived): Promise<void> {
      await requests.keep(request);
      reportKept();
    },
  };
};
export type WaivedRequests = ReturnType<typeof startWaiving>;

/** Answers with what `answer` returns; if it ends in a 5xx, the request is waived, because it may have been charged. */
export const answerOrWaive = async <Answer>(
  { waived }: { readonly waived: WaivedRequests },
  input: { readonly exchange: { isWaived: boolean } },
  request: Waived,
  answer: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await answer();
  } catch (error) {
    if (mayStillBeCharged(error)) {
      await waived.waive(request);
      input.exchange.isWaived = true;
    }
    throw error;
  }
};
