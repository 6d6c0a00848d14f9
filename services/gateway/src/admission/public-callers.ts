import { MINUTE_MS, SECOND_MS } from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import { LRUCache } from 'lru-cache';
import { createCounts } from '../domain/counts.ts';
import type { MonotonicClock } from '../redis/index.ts';

/** Networks or links whose requests are counted. */
const MAX_NAMES = 20_000;
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
  const bytesInHand = createCounts();
  return (network: string): BodyShare => {
    let ownBytes = 0;
    const change = (bytes: number): void => {
      for (const name of ['all', network]) bytesInHand.add(name, bytes);
      ownBytes += bytes;
    };
    return {
      take(bytes) {
        const hasRoom =
          bytesInHand.of('all') + bytes <= MAX_BODY_BYTES &&
          bytesInHand.of(network) + bytes <= MAX_BODY_BYTES_OF_NETWORK;
        if (!hasRoom)
          throw serviceError('rate_limit', {
            message: 'Too many bodies without a credential are being read. Retry in a second.',
            retryAfterSeconds: 1,
          });
        change(bytes);
      },
      release: () => change(-ownBytes),
    };
  };
};

/** Remembers refusals until they end, so that a repeat asks no service. */
const createRefusals = (clock: MonotonicClock) => {
  const entries = new LRUCache<string, { readonly error: ServiceError; readonly endsAt: number }>({
    max: MAX_REFUSALS,
  });
  return {
    /** Throws the refusal of an earlier request with the same name, with what is left of its wait. */
    throwRefusal(name: string): void {
      const refusal = entries.get(name);
      const leftMs = refusal === undefined ? 0 : refusal.endsAt - clock();
      if (refusal === undefined || leftMs <= 0) return;
      throw new ServiceError({ ...refusal.error.data, retryAfterSeconds: Math.ceil(leftMs / SECOND_MS) });
    },
    keep(name: string, error: unknown): void {
      if (!(error instanceof ServiceError) || error.status !== TOO_MANY_REQUESTS) return;
      const { retryAfterSeconds = 0 } = error.data;
      if (retryAfterSeconds > 0) entries.set(name, { error, endsAt: clock() + retryAfterSeconds * SECOND_MS });
    },
  };
};

type Window = { startedAt: number; count: number };

/** Counts requests by a name, in windows of a minute. Returns the window, to which the caller may add. */
const createLimit = (clock: MonotonicClock, perMinute: number, message: string) => {
  const windows = new LRUCache<string, Window>({ max: MAX_NAMES });
  return (name: string, cost = 1): Window => {
    const now = clock();
    let window = windows.get(name);
    if (window === undefined || now - window.startedAt >= MINUTE_MS) {
      window = { startedAt: now, count: 0 };
      windows.set(name, window);
    }
    window.count += cost;
    if (window.count > perMinute)
      throw serviceError('rate_limit', {
        message,
        retryAfterSeconds: Math.ceil((window.startedAt + MINUTE_MS - now) / SECOND_MS),
      });
    return window;
  };
};

const OF_NETWORK = 'Too many requests without a credential came from your network within a minute.';
const OF_LINK = 'This link was read too often within a minute.';
const LINK_READS_PER_MINUTE = 600;

/** What bounds callers without a credential, in this process. */
export const createPublicCallers = (clock: MonotonicClock, perMinute: number) => ({
  /** Throws `rate_limit` beyond the requests of a minute of a network. */
  count: createLimit(clock, perMinute, OF_NETWORK),
  /** The same for requests for tokens. */
  countGrant: createLimit(clock, perMinute, OF_NETWORK),
  /** Throws `rate_limit` beyond the reads of a minute of one link, by all networks. */
  countLink: createLimit(clock, LINK_READS_PER_MINUTE, OF_LINK),
  bodyShare: createBodyShares(),
  refusals: createRefusals(clock),
});
export type PublicCallers = ReturnType<typeof createPublicCallers>;
