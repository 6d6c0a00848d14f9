import { setTimeout as sleep } from 'node:timers/promises';
import {
  operationErrors,
  type RequestOf,
  ServiceError,
  search,
  searchErrors,
  transcriptFetcher,
} from '@tds/contracts';
import { hasBegunNothing, isServiceAway, type Kit } from '@tds/service-kit';
import type { Redis } from 'ioredis';
import { limitKeys } from '../admission/limits.ts';
import type { RedisGuard } from '../admission/redis-guard.ts';
import type { Surface } from '../surface.ts';

/** Of a transcript, or of a search: the one without a video. */
type Disowned = RequestOf<typeof transcriptFetcher.disownRequest> | RequestOf<typeof search.disownSearch>;

/** Members are requests, scores the times (milliseconds) from which any gateway is to report them. */
const KEY = limitKeys.disowned;
/** Of its own and of others, each. */
const AT_ONCE = 100;
const LEFT_TO_OWNER_MS = 2_000;
const MOST_IN_MEMORY = 10_000;
/** About 40 MB: what Redis keeps for all gateways while no fetcher answers. */
const MOST_SHARED = 100_000;

const shareScript = `
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
return 1
`;
type WithScript = { tdsShareDisowned(key: string, ...parts: (string | number)[]): Promise<number> };

type KeptRequests = {
  /** Keeps it here, and in Redis for the others should this process die. */
  keep(request: Disowned): Promise<void>;
  /** Some that are to be reported: this process's own, and those that others have left behind. */
  take(): Promise<readonly Disowned[]>;
  /** Reported: forgotten everywhere. */
  forget(request: Disowned): Promise<void>;
};

type Held = { readonly request: Disowned; isShared: boolean };

/** `onLoss` is called with one that will never be reported. `now` in milliseconds, about the same in all gateways. */
export const createKeptRequests = (
  redis: Redis,
  guard: RedisGuard,
  { now, onLoss }: { now: () => number; onLoss: (request: Disowned) => void },
): KeptRequests => {
  redis.defineCommand('tdsShareDisowned', { lua: shareScript, numberOfKeys: 1 });
  const scripted = redis as unknown as WithScript;
  const mine = new Map<string, Held>();
  const share = async (member: string): Promise<boolean> =>
    (await guard.run(() => scripted.tdsShareDisowned(KEY, MOST_SHARED, now() + LEFT_TO_OWNER_MS, member))) ===
    1;
  const dropOldest = (): void => {
    const [oldest] = mine;
    if (oldest === undefined) return;
    const [member, { request, isShared }] = oldest;
    mine.delete(member);
    if (!isShared) onLoss(request);
  };
  const takeFromOthers = async (): Promise<Disowned[]> => {
    const left = await guard.run(() => redis.zrangebyscore(KEY, '-inf', now(), 'LIMIT', 0, AT_ONCE));
    if (left === null || left.length === 0) return [];
    // Whoever takes them and dies leaves them for the next.
    await guard.run(() => redis.zadd(KEY, 'XX', ...left.flatMap((each) => [now() + LEFT_TO_OWNER_MS, each])));
    return left.filter((member) => !mine.has(member)).map((member) => JSON.parse(member) as Disowned);
  };
  return {
    async keep(request) {
      const member = JSON.stringify(request);
      const held = { request, isShared: false };
      mine.set(member, held);
      if (mine.size > MOST_IN_MEMORY) dropOldest();
      held.isShared = await share(member);
    },
    async take() {
      const others = await takeFromOthers();
      return [...[...mine.values()].slice(0, AT_ONCE).map(({ request }) => request), ...others];
    },
    async forget(request) {
      const member = JSON.stringify(request);
      mine.delete(member);
      await guard.run(() => redis.zrem(KEY, member));
    },
  };
};

const REPORT_AGAIN_MS = 1_000;
/** How often it looks for what gateways that died have left. */
const LOOK_EVERY_MS = 5_000;
const PATIENCE_MS = 2_000;
const SERVER_ERROR = 500;
const finalErrors: readonly string[] = [...operationErrors, ...searchErrors];

/**
 * Whether work may have been begun, and may still be delivered, for a request that is about to be answered with this
 * error. Not if the work itself has failed, and not if nobody has received the command.
 */
export const mayStillBeCharged = (error: unknown): boolean => {
  if (!(error instanceof ServiceError)) return true;
  return error.status >= SERVER_ERROR && !finalErrors.includes(error.code) && !hasBegunNothing(error);
};

export type DisownedRequests = {
  /** To be called before such a request is answered: from then on it costs nothing, whatever dies. Never fails. */
  disown(request: Disowned): Promise<void>;
};

/** Reports requests that were answered with a 5xx to whoever works for them, until they have acknowledged each. */
export const startDisowning = (
  kit: Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>,
  kept: KeptRequests,
): DisownedRequests => {
  /** Whether it need not be reported again. */
  const report = async (request: Disowned): Promise<boolean> => {
    const { requestId, accountId } = request;
    const context = { requestId, accountId, signal: AbortSignal.timeout(PATIENCE_MS) };
    try {
      if ('videoId' in request) await kit.call(transcriptFetcher.disownRequest, request, context);
      else await kit.call(search.disownSearch, request, context);
    } catch (error) {
      // Away: it is reported again. Any other failure would come again as well, and is for people.
      if (isServiceAway(error)) return false;
      kit.log.error('a request was not disowned: it may be charged', { requestId, error });
    }
    await kept.forget(request);
    return true;
  };
  let running: Promise<unknown> | null = null;
  let isWanted = false;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  /** Resolves to whether something is left that is to be reported again. */
  const run = async (): Promise<boolean> => {
    for (;;) {
      isWanted = false;
      const reported = await Promise.all((await kept.take()).map(report));
      const isMore = isWanted || (reported.length >= AT_ONCE && !reported.includes(false));
      if (!isMore) return reported.includes(false);
    }
  };
  const reportKept = (): void => {
    isWanted = true;
    clearTimeout(timer);
    running ??= run().then((isLeft) => {
      running = null;
      if (!isStopping) timer = setTimeout(reportKept, isLeft || isWanted ? REPORT_AGAIN_MS : LOOK_EVERY_MS);
    });
  };
  reportKept();
  kit.onStop('disowned requests', async () => {
    isStopping = true;
    reportKept();
    // What is not acknowledged by then stays in Redis for the other gateways.
    await Promise.race([running, sleep(PATIENCE_MS, undefined, { ref: false })]);
  });
  return {
    async disown(request) {
      await kept.keep(request);
      reportKept();
    },
  };
};
