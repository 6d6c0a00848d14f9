import { createDeadline, createSemaphore } from '@tds/base';
import { HOUR_MS, MINUTE_MS, PRINCIPAL_WAIT_MS, SECOND_MS } from '@tds/contracts';
import { type ErrorCode, ServiceError, serviceError } from '@tds/errors';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../redis/index.ts';

/** More could not get their turn in time and would only cost memory. */
const MAX_WAITING = 1_000;

/**
 * Runs a bounded number at once; the others wait in order. Throws `rate_limit` if too many wait already, `service_unavailable` if a turn does
 * not come in time.
 */
export const createLookUps = (maxConcurrent: number, turnMs: number = PRINCIPAL_WAIT_MS) => {
  const semaphore = createSemaphore(maxConcurrent);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (semaphore.free() > 0) return semaphore.run(work);
    if (semaphore.waiting() >= MAX_WAITING)
      throw serviceError('rate_limit', {
        message: 'Too many requests of your network wait to be looked at. Retry in a second.',
        retryAfterSeconds: 1,
      });
    const tooLate = () => serviceError('service_unavailable', { retryAfterSeconds: 1 });
    using deadline = createDeadline(turnMs, undefined, tooLate);
    return await semaphore.runInTurn(work, deadline.signal);
  };
};

/** Per network, so that a burst does not run before its first failure is known. */
const MAX_CONCURRENT_LOOK_UPS = 8;
const REMEMBERED_NETWORKS = 20_000;
const REMEMBERED_CALLERS = 20_000;
const KNOWN_MS = HOUR_MS;

/** `failedAt`: oldest first. */
type Network = { readonly failedAt: number[]; readonly lookUps: ReturnType<typeof createLookUps> };

/** The errors that count as failures, and the message when there are too many. */
type GateRules = { readonly refusals: readonly ErrorCode[]; readonly message: string };

export const unknownCredentials: GateRules = {
  refusals: ['invalid_api_key', 'session_required'],
  message: 'Too many unknown keys or sessions came from your network within a minute. Wait, and check yours.',
};

export const unsignedEvents: GateRules = {
  refusals: [
    'payment_event_invalid',
    'payment_content_length_invalid',
    'payment_body_too_large',
    'payment_body_invalid_utf8',
    'unsupported_media_type',
    'malformed_request',
  ],
  message:
    'Too many payment events that are not signed came from your network within a minute. Wait, and check the signature.',
};

/** Drops failures older than the window. Returns 0 below `limit`. */
const blockedForMs = (failedAt: number[], limit: number, nowMs: number): number => {
  while (failedAt.length > 0 && (failedAt[0] as number) <= nowMs - MINUTE_MS) failedAt.shift();
  const [oldest] = failedAt;
  return oldest === undefined || failedAt.length < limit ? 0 : oldest + MINUTE_MS - nowMs;
};

/** Slows down networks that keep failing, without harm to others. `failedPerMinute` is per network and process. */
export const createNetworkGate = (
  clock: MonotonicClock,
  failedPerMinute: number,
  { refusals, message }: GateRules,
) => {
  const refusalCodes: ReadonlySet<string> = new Set(refusals);
  const isRefusal = (error: unknown): boolean => error instanceof ServiceError && refusalCodes.has(error.code);
  const knownNames = new LRUCache<string, true>({ max: REMEMBERED_CALLERS, ttl: KNOWN_MS });
  const networks = new LRUCache<string, Network>({
    max: REMEMBERED_NETWORKS,
    memoMethod: () => ({ failedAt: [], lookUps: createLookUps(MAX_CONCURRENT_LOOK_UPS) }),
  });
  const rejectBlocked = ({ failedAt }: Network): void => {
    const waitMs = blockedForMs(failedAt, failedPerMinute, clock());
    if (waitMs > 0)
      throw serviceError('rate_limit', { message, retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
  };
  const attempt = async <T>(name: string, network: Network, ask: () => Promise<T>): Promise<T> => {
    try {
      const answer = await ask();
      knownNames.set(name, true);
      return answer;
    } catch (error) {
      if (isRefusal(error)) {
        knownNames.delete(name);
        network.failedAt.push(clock());
      }
      throw error;
    }
  };
  return {
    /** It succeeded here within the hour, so its look-ups do not wait. */
    isKnown: (name: string) => knownNames.has(name),
    markKnown: (name: string): void => void knownNames.set(name, true),
    /**
     * Runs a look-up for a credential's digest or an event's address. Throws `rate_limit` without a look-up if the
     * network has failed too often within a minute, and `service_unavailable` if its turn does not come in time.
     */
    async lookUp<T>(name: string, network: () => string, ask: () => Promise<T>): Promise<T> {
      const callerNetwork = networks.memo(network());
      if (knownNames.has(name)) return attempt(name, callerNetwork, ask);
      rejectBlocked(callerNetwork);
      return callerNetwork.lookUps(async () => {
        // Earlier ones may have failed meanwhile.
        rejectBlocked(callerNetwork);
        return attempt(name, callerNetwork, ask);
      });
    },
  };
};
export type NetworkGate = ReturnType<typeof createNetworkGate>;
