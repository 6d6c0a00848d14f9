import { ServiceError, serviceError } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import { WINDOW_MS } from '../admission/limits.ts';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

const MS = 1_000;
/** Of one network, so that a burst is not all under way before the first has failed. */
const LOOK_UPS_AT_ONCE = 8;
const REMEMBERED_NETWORKS = 20_000;
const REMEMBERED_CREDENTIALS = 20_000;
const PROVEN_MS = 60 * 60_000;

/** Failures by their times, oldest first. */
type Network = { readonly failedAt: number[]; readonly lookUps: Semaphore };

const refusals: ReadonlySet<string> = new Set(['invalid_api_key', 'session_required']);
const isRefusal = (error: unknown): boolean => error instanceof ServiceError && refusals.has(error.code);

/** Which callers identity is asked about: a network that keeps sending credentials that are none has to wait. */
export type NetworkGate = {
  /** It was good here within the hour, so that its look-ups wait for no other's failures. */
  isProven(digest: string): boolean;
  prove(digest: string): void;
  /**
   * Looks a credential up. Throws `rate_limit`, having asked nobody, if the caller's network has failed too often within
   * a minute, and `service_unavailable` if its look-ups take too long.
   */
  lookUp<T>(digest: string, network: () => string, ask: () => Promise<T>): Promise<T>;
};

/** By process: `failedPerMinute` is what each gateway bears of one network. */
export const createNetworkGate = (clock: MonotonicClock, failedPerMinute: number): NetworkGate => {
  const proven = new LRUCache<string, true>({ max: REMEMBERED_CREDENTIALS, ttl: PROVEN_MS });
  const networks = new LRUCache<string, Network>({ max: REMEMBERED_NETWORKS });
  const networkOf = (name: string): Network => {
    const known = networks.get(name);
    if (known !== undefined) return known;
    const network = { failedAt: [], lookUps: createSemaphore(LOOK_UPS_AT_ONCE) };
    networks.set(name, network);
    return network;
  };
  const refuseShut = ({ failedAt }: Network): void => {
    while (failedAt.length > 0 && (failedAt[0] as number) <= clock() - WINDOW_MS) failedAt.shift();
    const [oldest] = failedAt;
    if (oldest === undefined || failedAt.length < failedPerMinute) return;
    throw serviceError('rate_limit', {
      message:
        'Too many unknown keys or sessions came from your network within a minute. Wait, and check yours.',
      retryAfterSeconds: Math.ceil((oldest + WINDOW_MS - clock()) / MS),
    });
  };
  const attempt = async <T>(digest: string, network: Network, ask: () => Promise<T>): Promise<T> => {
    try {
      const answer = await ask();
      proven.set(digest, true);
      return answer;
    } catch (error) {
      if (isRefusal(error)) {
        proven.delete(digest);
        network.failedAt.push(clock());
      }
      throw error;
    }
  };
  return {
    isProven: (digest) => proven.has(digest),
    prove: (digest) => void proven.set(digest, true),
    async lookUp(digest, network, ask) {
      const from = networkOf(network());
      if (proven.has(digest)) return attempt(digest, from, ask);
      refuseShut(from);
      return from.lookUps.run(async () => {
        // Those before it may have failed meanwhile.
        refuseShut(from);
        return attempt(digest, from, ask);
      });
    },
  };
};
