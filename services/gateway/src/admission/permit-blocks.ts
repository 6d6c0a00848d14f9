import { utcDayNumber } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import { WINDOW_MS } from './limits.ts';

const REMEMBERED_KEYS = 20_000;
/** How long permits that were taken ahead may be used. */
export const BLOCK_LIFE_MS = 2_000;
/** From here on the next permits are taken in the background, so that no request waits for them. */
const ENDS_SOON_MS = 500;
const LOW = 0.25;

type Block = {
  /** Permits taken ahead and not used yet. */
  left: number;
  readonly granted: number;
  /** The moment from which Redis counts them: their last possible use, or later. */
  readonly takenAt: string;
  /** How many to take ahead next time. */
  readonly wanted: number;
  readonly expiresAt: number;
  readonly day: number;
  /** The next block is being asked for: until it comes, requests ask for themselves alone. */
  isAsking: boolean;
};

/** What to ask Redis for along with the request itself. */
export type PermitAsk = {
  /** Permits to take ahead, all or none. */
  readonly ahead: number;
  /** What was taken today and not used, as `number:moment`, or `0`. */
  readonly back: string;
};

export const NO_PERMITS: PermitAsk = { ahead: 0, back: '0' };

/** Whether a permit was used, and whether it is time to take the next ones. */
export type Use = 'none' | 'one' | 'one-of-the-last';

/**
 * Permits of busy keys, taken ahead in Redis, so that cached reads need not wait for a round trip. They are counted there
 * when they are taken, so nothing is ever admitted twice; what was not used is given back with the key's next round trip.
 */
export type PermitBlocks = {
  /** Uses a permit of a cached read that was taken ahead; `none` if Redis has to be asked. */
  use(keyDigest: string): Use;
  /** Ends the key's block and says what to ask for: twice as many if they ran low early, else as many as were used. */
  next(keyDigest: string, requestsPerMinute: number): PermitAsk;
  /** `taken` is what Redis granted, as `number:moment`, or `0`, also if it did not answer. */
  keep(keyDigest: string, ask: PermitAsk, taken: string): void;
};

export const createPermitBlocks = (clock: () => number, now: () => Date): PermitBlocks => {
  const blocks = new LRUCache<string, Block>({ max: REMEMBERED_KEYS });
  const today = (): number => utcDayNumber(now());
  return {
    use(keyDigest) {
      // A look that does not make the entry the youngest: the block's own renewal does.
      const block = blocks.peek(keyDigest);
      if (block === undefined || block.left === 0 || block.isAsking) return 'none';
      const lifeMs = block.expiresAt - clock();
      if (lifeMs <= 0 || block.day !== today()) return 'none';
      block.left -= 1;
      const isLow = block.left <= block.granted * LOW || lifeMs <= ENDS_SOON_MS;
      return isLow ? 'one-of-the-last' : 'one';
    },
    next(keyDigest, requestsPerMinute) {
      const block = blocks.get(keyDigest);
      if (block === undefined || block.isAsking) return NO_PERMITS;
      block.isAsking = true;
      const most = Math.floor((requestsPerMinute * BLOCK_LIFE_MS) / WINDOW_MS);
      const ranLow = block.left <= block.granted * LOW && block.expiresAt > clock() + ENDS_SOON_MS;
      const ahead = ranLow ? Math.max(1, 2 * block.wanted) : block.granted - block.left;
      const back = block.left > 0 && block.day === today() ? `${block.left}:${block.takenAt}` : '0';
      return { ahead: Math.min(most, ahead), back };
    },
    keep(keyDigest, ask, taken) {
      if (ask === NO_PERMITS && blocks.has(keyDigest)) return;
      const [granted = '0', takenAt = ''] = taken.split(':');
      const left = Number(granted);
      const expiresAt = clock() + BLOCK_LIFE_MS;
      blocks.set(keyDigest, {
        left,
        granted: left,
        takenAt,
        wanted: ask.ahead,
        expiresAt,
        day: today(),
        isAsking: false,
      });
    },
  };
};
