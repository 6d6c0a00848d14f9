import { LRUCache } from 'lru-cache';

const REMEMBERED_KEYS = 20_000;
/** How long places that were taken ahead may be used. */
export const BLOCK_LIFE_MS = 2_000;
const DAY_MS = 86_400_000;

type Block = {
  /** Places taken ahead and not used yet. */
  left: number;
  readonly granted: number;
  /** The moment at which Redis counted them. */
  readonly takenAt: string;
  /** How many to take ahead next time. */
  readonly wanted: number;
  readonly expiresAt: number;
  readonly day: number;
  /** One of the key's requests is asking for the next block: the others ask for themselves alone. */
  isAsking: boolean;
};

/** What to ask Redis for along with the request itself. */
export type BlockAsk = {
  /** Places to take ahead, all or none. */
  readonly ahead: number;
  /** What was taken today and not used, as `number:moment`, or `0`. */
  readonly back: string;
};

export const NO_BLOCK: BlockAsk = { ahead: 0, back: '0' };

/**
 * Places of busy keys, taken ahead in Redis, so that most cached reads need no round trip. They are counted there when
 * they are taken, so nothing is ever let in twice; what was not used is given back with the key's next round trip.
 */
export type Blocks = {
  /** Uses a place of a cached read that was taken ahead; false where Redis has to be asked. */
  use(keyDigest: string): boolean;
  /** For a key whose block is used up, or over: twice as many while they are used, else as many as were. */
  next(keyDigest: string, requestsPerMinute: number): BlockAsk;
  /** `taken` is what Redis granted, as `number:moment`, or `0`, also where it did not answer. */
  keep(keyDigest: string, ask: BlockAsk, taken: string): void;
};

export const createBlocks = (clock: () => number, now: () => Date): Blocks => {
  const blocks = new LRUCache<string, Block>({ max: REMEMBERED_KEYS });
  const today = (): number => Math.floor(now().getTime() / DAY_MS);
  return {
    use(keyDigest) {
      const block = blocks.get(keyDigest);
      if (block === undefined || block.left === 0) return false;
      if (block.expiresAt <= clock() || block.day !== today()) return false;
      block.left -= 1;
      return true;
    },
    next(keyDigest, requestsPerMinute) {
      const block = blocks.get(keyDigest);
      if (block === undefined || block.isAsking) return NO_BLOCK;
      block.isAsking = true;
      const most = Math.floor((requestsPerMinute * BLOCK_LIFE_MS) / 60_000);
      const isBusy = block.expiresAt > clock();
      const ahead = isBusy ? Math.max(1, 2 * block.wanted) : block.granted - block.left;
      const back = block.left > 0 && block.day === today() ? `${block.left}:${block.takenAt}` : '0';
      return { ahead: Math.min(most, ahead), back };
    },
    keep(keyDigest, ask, taken) {
      if (ask === NO_BLOCK && blocks.has(keyDigest)) return;
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
