import { utcDayNumber } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import { WINDOW_MS } from './limits.ts';

const REMEMBERED_KEYS = 20_000;
/** How long a permit may be used. */
export const PERMIT_LIFE_MS = 2_000;
/** Of a refused request: permits count at the end of their life. */
export const MAX_WAIT_MS = WINDOW_MS + PERMIT_LIFE_MS;
/** From here on the next permits are taken in the background, so that no request waits for them. */
const ENDS_SOON_MS = 500;
const LOW_SHARE = 0.25;

/** Permits are for requests that memory can answer: pages of listings, and bodies, which count as cache reads. */
export type PermitKind = 'page' | 'body';

/** Permits as Redis granted them. `moment` (microseconds, as text) is when they count in the rate log. */
export type Permits = { readonly count: number; readonly moment: string };

/** What to ask Redis for along with a request. */
export type PermitOrder = {
  /** Permits to take ahead, all or none. */
  readonly ahead: number;
  /** Permits taken today to release. */
  readonly unused: Permits;
};

export const NO_PERMITS: Permits = { count: 0, moment: '0' };
export const NO_ORDER: PermitOrder = { ahead: 0, unused: NO_PERMITS };

type Block = {
  remaining: number;
  readonly granted: Permits;
  /** Size of the order that was granted, or not. */
  readonly orderSize: number;
  readonly expiresAt: number;
  readonly day: number;
  /** The next block is being ordered: until it arrives, requests ask Redis for themselves. */
  isOrdering: boolean;
};

/**
 * Permits of busy keys, taken ahead in Redis, so that reads from memory need no round trip. Redis counts them when they
 * are taken, so nothing is admitted twice; unused ones are released with the key's next round trip.
 */
export const createPermitBlocks = (clock: () => number, now: () => Date) => {
  const blocks = new LRUCache<string, Block>({ max: REMEMBERED_KEYS });
  const today = (): number => utcDayNumber(now());
  return {
    /** Uses a permit; `low` if it is time to take the next ones, `none` if Redis has to be asked. */
    use(counter: string): 'none' | 'used' | 'low' {
      // `peek` is enough: the block's renewal keeps the entry young.
      const block = blocks.peek(counter);
      if (block === undefined || block.remaining === 0 || block.isOrdering) return 'none';
      const lifeMs = block.expiresAt - clock();
      if (lifeMs <= 0 || block.day !== today()) return 'none';
      block.remaining -= 1;
      return block.remaining <= block.granted.count * LOW_SHARE || lifeMs <= ENDS_SOON_MS ? 'low' : 'used';
    },
    /** Ends the key's block and returns the next order: twice as many if they ran low early, else as many as were used. */
    order(counter: string, requestsPerMinute: number): PermitOrder {
      const block = blocks.get(counter);
      if (block === undefined || block.isOrdering) return NO_ORDER;
      block.isOrdering = true;
      const { remaining, granted, orderSize } = block;
      const max = Math.floor((requestsPerMinute * PERMIT_LIFE_MS) / WINDOW_MS);
      const ranLow = remaining <= granted.count * LOW_SHARE && block.expiresAt > clock() + ENDS_SOON_MS;
      const ahead = ranLow ? Math.max(1, 2 * orderSize) : granted.count - remaining;
      const unused = block.day === today() ? { count: remaining, moment: granted.moment } : NO_PERMITS;
      return { ahead: Math.min(max, ahead), unused };
    },
    /** Keeps what Redis granted; `NO_PERMITS` also if Redis did not answer. */
    keep(counter: string, order: PermitOrder, granted: Permits): void {
      if (order === NO_ORDER && blocks.has(counter)) return;
      const expiresAt = clock() + PERMIT_LIFE_MS;
      const block = { remaining: granted.count, granted, orderSize: order.ahead, expiresAt, day: today() };
      blocks.set(counter, { ...block, isOrdering: false });
    },
  };
};
export type PermitBlocks = ReturnType<typeof createPermitBlocks>;
