import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '@tds/contracts';

/** By then every gateway has reported to the ledger what it had counted before Redis forgot. */
const SETTLED_MS = 1_200;
const AT_ONCE = 16;
const MOST_WAITING = 20_000;

export type SeedParts = {
  /** Cache reads of a key on a UTC day as the ledger knows them. */
  recall(principal: Principal, day: string): Promise<number>;
  /** The first of several counters was found to be lost. */
  onLost(): void;
  /** Adds them to the reader's counter, once. */
  seed(reader: string, principal: Principal, day: string, reads: number): Promise<unknown>;
  readonly settledMs?: number;
};

/** Has a counter that was lost seeded within two seconds, in the background; never fails. */
export type WantSeed = (reader: string, principal: Principal, day: string) => void;

type Wanted = {
  readonly reader: string;
  readonly principal: Principal;
  readonly day: string;
  readonly at: number;
};

/**
 * Counters that Redis has lost get back what the ledger knows of them. Reads that are counted meanwhile may be in both:
 * so nothing is ever admitted beyond the cap for it, and at most the reads of that second are missing. If it fails,
 * the key's next read tries again.
 */
export const createReadSeeds = ({ recall, seed, onLost, settledMs = SETTLED_MS }: SeedParts): WantSeed => {
  const waiting = new Map<string, Wanted>();
  let isRunning = false;

  const seedOne = async ({ reader, principal, day }: Wanted): Promise<void> => {
    try {
      await seed(reader, principal, day, await recall(principal, day));
    } catch {
      // The counter stays as it is, and says so to the next who counts.
    } finally {
      waiting.delete(reader);
    }
  };
  const run = async (): Promise<void> => {
    while (waiting.size > 0) {
      const next = waiting.values().take(AT_ONCE).toArray();
      const youngest = Math.max(...next.map(({ at }) => at));
      await sleep(Math.max(0, youngest + settledMs - performance.now()), undefined, { ref: false });
      await Promise.all(next.map(seedOne));
    }
    isRunning = false;
  };
  return (reader, principal, day) => {
    if (waiting.has(reader) || waiting.size >= MOST_WAITING) return;
    waiting.set(reader, { reader, principal, day, at: performance.now() });
    if (isRunning) return;
    isRunning = true;
    onLost();
    void run();
  };
};
