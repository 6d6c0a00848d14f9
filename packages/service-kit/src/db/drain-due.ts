import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createSemaphore, type Semaphore } from '../async/semaphore.ts';
import { withinTimeLimit } from '../async/time-limit.ts';
import type { Due, DueOutcome, DueRows, SavedOutcome } from './due-rows.ts';

export type DrainOptions<Row, Written> = {
  /** One row; its signal fires when its time is over. A row whose work throws is due again when its lease has run out. */
  readonly work: (row: Due<Row>, signal: AbortSignal) => Promise<DueOutcome<Written>>;
  readonly onFailure: (error: unknown, row: Due<Row>) => void;
  readonly atOnce: number;
  /** Takes no new rows after it. */
  readonly forMs?: number;
  /** Milliseconds that only grow. */
  readonly clock?: () => number;
  /** Takes no new rows once it fires; so does the work in hand. */
  readonly signal: AbortSignal;
};

type Drained = {
  readonly claimed: number;
  /** Less than was claimed: some failed, or took so long that others hold them. */
  readonly saved: number;
};

/** A drain takes new rows for so long (specification, part 8). */
export const DRAIN_MS = 45_000;
/** While some rows take their time, those that have become due meanwhile are claimed so often. */
const CLAIM_AGAIN_MS = 250;
/** A row has to end, and its outcome to be saved, before its lease runs out. */
const SHARE_OF_LEASE = 0.8;

/** Outcomes wait for others for so long: less than what is left of a lease. */
const SAVE_WITHIN_MS = 250;

/** Saves outcomes, many at a time, one statement after the other. What cannot be saved is saved with those that come next. */
const createSaver = <Outcome>(save: (outcomes: readonly Outcome[]) => Promise<readonly string[]>) => {
  let waiting: Outcome[] = [];
  let saved = 0;
  let saving = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** Resolves to why it could not save. */
  const saveAll = async (): Promise<unknown> => {
    const outcomes = waiting;
    waiting = [];
    try {
      saved += (await save(outcomes)).length;
      return null;
    } catch (error) {
      waiting = [...outcomes, ...waiting];
      return error;
    }
  };
  const flush = (): Promise<unknown> => {
    clearTimeout(timer);
    timer = undefined;
    const flushed = saving.then(saveAll);
    saving = flushed.then(() => {});
    return flushed;
  };
  return {
    saved: () => saved,
    add: (outcome: Outcome): void => {
      waiting.push(outcome);
      timer ??= setTimeout(() => void flush(), SAVE_WITHIN_MS);
    },
    /** Saves the rest, as often as it takes until then. Throws why it could not. */
    async finish(endsAt: number): Promise<void> {
      for (let error = await flush(); error !== null; error = await flush()) {
        if (performance.now() > endsAt) throw error;
        await delay(SAVE_WITHIN_MS);
      }
    },
  };
};

/** Half of the places, so that each claim is for many rows; a while later any, so that rows that hang hold up their own places only. */
const whenThereIsRoom = async (places: Semaphore, atOnce: number): Promise<void> => {
  await Promise.race([places.whenFree(Math.ceil(atOnce / 2)), delay(CLAIM_AGAIN_MS)]);
  await places.whenFree();
};

/** False where rows are still worked on after a while. */
const isSoonIdle = (places: Semaphore): Promise<boolean> =>
  Promise.race([places.whenIdle().then(() => true), delay(CLAIM_AGAIN_MS, false)]);

/**
 * Works on the rows that are due until none is, the time is over, or the signal fires; every instance may do so at the same
 * time. A row that is slow holds up none that becomes due meanwhile. A death repeats what was not saved when its leases have run out.
 */
export const drainDue = async <Row extends object, Written extends object>(
  pool: Pool,
  rows: DueRows<Row, Written>,
  {
    work,
    onFailure,
    atOnce,
    forMs = DRAIN_MS,
    clock = () => performance.now(),
    signal,
  }: DrainOptions<Row, Written>,
): Promise<Drained> => {
  const endsAt = clock() + forMs;
  const places = createSemaphore(atOnce);
  const saver = createSaver<SavedOutcome<Written>>((outcomes) => rows.save(pool, outcomes));
  const limit = { timeLimitMs: rows.leaseMs * SHARE_OF_LEASE, leaseMs: 0 };
  const workOn = async (row: Due<Row>): Promise<void> => {
    try {
      const outcome = await withinTimeLimit(limit, signal, (limited) => work(row, limited));
      saver.add({ ...outcome, id: row.id, epoch: row.epoch });
    } catch (error) {
      onFailure(error, row);
    }
  };
  let claimed = 0;
  try {
    for (let isDone = false; !isDone; ) {
      await whenThereIsRoom(places, atOnce);
      if (signal.aborted || clock() >= endsAt) break;
      const room = places.free();
      const due = await rows.claim(pool, room);
      for (const row of due) void places.run(() => workOn(row));
      claimed += due.length;
      isDone = due.length < room && (await isSoonIdle(places));
    }
  } finally {
    await places.whenIdle();
    await saver.finish(performance.now() + rows.leaseMs - limit.timeLimitMs);
  }
  return { claimed, saved: saver.saved() };
};
