import { setTimeout as delay } from 'node:timers/promises';
import { endsWithin } from '@tds/base';
import { withinTimeLimit } from '@tds/base/internals';
import type { Pool } from 'pg';
import type { Due, DueOutcome, Queue, SavedOutcome } from './define-queue.ts';
import { createTurns } from './turns.ts';

export type DrainOptions<Row, Written> = {
  /** Handles one row; the signal fires at its time limit. A row whose work throws is due again after its lease. */
  readonly work: (row: Due<Row>, signal: AbortSignal) => Promise<DueOutcome<Written>>;
  readonly onFailure: (error: unknown, row: Due<Row>) => void;
  readonly concurrency: number;
  /** Takes no new rows after it. */
  readonly maxMs?: number;
  /** Milliseconds that only grow. */
  readonly clock?: () => number;
  /** Takes no new rows once it fires; so does the work in hand. */
  readonly signal: AbortSignal;
};

/** Fewer are saved than claimed if some failed, or lost their lease. */
type Drained = { readonly claimed: number; readonly saved: number };

/** A drain claims new rows for this time (specification, part 8). */
export const DRAIN_MS = 45_000;
/** While some rows take their time, outcomes are saved and rows that have become due meanwhile are claimed so often. */
const TURN_AGAIN_MS = 250;
/** A row has to end, and its outcome to be saved, before its lease runs out. */
const SHARE_OF_LEASE = 0.8;

/** Null if the work failed: the row is due again after its lease. */
const runRow = async <Row extends object, Written extends object>(
  row: Due<Row>,
  { leaseMs }: Queue<Row, Written>,
  { work, onFailure, signal }: DrainOptions<Row, Written>,
): Promise<SavedOutcome<Written> | null> => {
  const limit = { timeLimitMs: leaseMs * SHARE_OF_LEASE, leaseMs: 0 };
  try {
    const outcome = await withinTimeLimit(limit, signal, (limited) => work(row, limited));
    return { ...outcome, id: row.id, epoch: row.epoch, dueAt: row.dueAt };
  } catch (error) {
    onFailure(error, row);
    return null;
  }
};

/**
 * Works on the rows that are due until none is, the time is over, or the signal fires; every instance may do so at the same
 * time. A row that is slow holds up none that becomes due meanwhile. A death repeats what was not saved when its leases have run out.
 */
export const drainDue = async <Row extends object, Written extends object>(
  pool: Pool,
  queue: Queue<Row, Written>,
  options: DrainOptions<Row, Written>,
): Promise<Drained> => {
  const { concurrency, maxMs = DRAIN_MS, clock = () => performance.now(), signal } = options;
  const endsAt = clock() + maxMs;
  const drained = { claimed: 0, saved: 0 };
  let leasedUntil = 0;
  let isFull = false;
  const turns = createTurns<Due<Row>, SavedOutcome<Written>>({
    concurrency,
    turn: async (outcomes, maxRows) => {
      drained.saved += (await queue.save(pool, outcomes)).length;
      const claimed = maxRows > 0 ? await queue.claim(pool, maxRows) : [];
      drained.claimed += claimed.length;
      isFull = maxRows > 0 && claimed.length === maxRows;
      if (claimed.length > 0) leasedUntil = performance.now() + queue.leaseMs;
      return claimed;
    },
    work: (row) => runRow(row, queue, options),
  });
  for (;;) {
    try {
      const claimed = await turns.take(!signal.aborted && clock() < endsAt);
      if (claimed === 0 && turns.isIdle()) return drained;
    } catch (error) {
      // What is in hand is saved as soon as that is possible, unless others have it by then.
      if (turns.isIdle() || performance.now() > leasedUntil) throw error;
      await delay(TURN_AGAIN_MS);
      continue;
    }
    // Half of the slots, so that each turn is for many rows.
    const room = isFull ? turns.slots.whenFree(Math.ceil(concurrency / 2)) : turns.slots.whenIdle();
    await endsWithin(room, TURN_AGAIN_MS);
  }
};
