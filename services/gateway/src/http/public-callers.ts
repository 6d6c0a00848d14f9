import { ServiceError, serviceError } from '@tds/errors';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../admission/redis-guard.ts';

const MINUTE_MS = 60_000;
const MS = 1_000;
const MAX_NETWORKS = 20_000;
const MAX_REFUSALS = 20_000;
/** All bodies that callers without a credential send at one time; one network has a sixteenth. */
const MAX_BODY_BYTES = 16 * 1_024 * 1_024;
const MAX_BODY_BYTES_OF_NETWORK = MAX_BODY_BYTES / 16;
const TOO_MANY_REQUESTS = 429;

/** The memory of one body in hand. */
export type BodyShare = {
  /** Throws `rate_limit` if the bodies in hand take too much memory. */
  take(bytes: number): void;
  release(): void;
};

const createBodyShares = () => {
  const ofNetworks = new Map<string, number>();
  let all = 0;
  const change = (network: string, bytes: number): void => {
    const held = (ofNetworks.get(network) ?? 0) + bytes;
    all += bytes;
    if (held === 0) ofNetworks.delete(network);
    else ofNetworks.set(network, held);
  };
  return (network: string): BodyShare => {
    let held = 0;
    return {
      take(bytes) {
        const ofNetwork = ofNetworks.get(network) ?? 0;
        if (all + bytes > MAX_BODY_BYTES || ofNetwork + bytes > MAX_BODY_BYTES_OF_NETWORK)
          throw serviceError('rate_limit', {
            message: 'Too many bodies without a credential are being read. Retry in a second.',
            retryAfterSeconds: 1,
          });
        change(network, bytes);
        held += bytes;
      },
      release() {
        change(network, -held);
        held = 0;
      },
    };
  };
};

/** Remembers refusals until they end, so that a repeat asks no service. */
const createRefusals = (clock: MonotonicClock) => {
  const known = new LRUCache<string, { readonly error: ServiceError; readonly endsAt: number }>({
    max: MAX_REFUSALS,
  });
  return {
    /** Throws the refusal of an earlier request with the same name, with what is left of its wait. */
    throwKnown(name: string): void {
      const refusal = known.get(name);
      const leftMs = refusal === undefined ? 0 : refusal.endsAt - clock();
      if (refusal === undefined || leftMs <= 0) return;
      throw new ServiceError({ ...refusal.error.data, retryAfterSeconds: Math.ceil(leftMs / MS) });
    },
    keep(name: string, error: unknown): void {
      if (!(error instanceof ServiceError) || error.status !== TOO_MANY_REQUESTS) return;
      const { retryAfterSeconds = 0 } = error.data;
      if (retryAfterSeconds > 0) known.set(name, { error, endsAt: clock() + retryAfterSeconds * MS });
    },
  };
};

type Window = { startedAt: number; count: number };

/** Counts the requests of each network in windows of a minute. Returns its window, to which the caller may add. */
const createNetworkLimit = (clock: MonotonicClock, perMinute: number) => {
  const windows = new LRUCache<string, Window>({ max: MAX_NETWORKS });
  return (network: string, cost = 1): Window => {
    const now = clock();
    let window = windows.get(network);
    if (window === undefined || now - window.startedAt >= MINUTE_MS) {
      window = { startedAt: now, count: 0 };
      windows.set(network, window);
    }
    window.count += cost;
    if (window.count > perMinute)
      throw serviceError('rate_limit', {
        message: 'Too many requests without a credential came from your network within a minute.',
        retryAfterSeconds: Math.ceil((window.startedAt + MINUTE_MS - now) / MS),
      });
    return window;
  };
};

/** What bounds callers without a credential, in this process. */
export const createPublicCallers = (clock: MonotonicClock, perMinute: number) => ({
  /** Throws `rate_limit` beyond the requests of a minute of a network. */
  count: createNetworkLimit(clock, perMinute),
  /** The same for requests for tokens. */
  countGrant: createNetworkLimit(clock, perMinute),
  bodyShare: createBodyShares(),
  refusals: createRefusals(clock),
});
export type PublicCallers = ReturnType<typeof createPublicCallers>;
