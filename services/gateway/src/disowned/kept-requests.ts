import type { RequestOf, search, transcriptFetcher } from '@tds/contracts';
import type { Redis } from 'ioredis';
import { limitKeys } from '../admission/limit-keys.ts';
import type { RedisGuard } from '../admission/redis-guard.ts';

/** Of a transcript, or of a search: the one without a video. */
export type Disowned =
  | RequestOf<typeof transcriptFetcher.disownRequest>
  | RequestOf<typeof search.disownSearch>;

/** Members are requests, scores the times (milliseconds) from which any gateway is to report them. */
const KEY = limitKeys.disowned;
/** Of its own and of others, each. */
export const AT_ONCE = 100;
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

export type KeptRequests = {
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
