import { onlyRow, type Sql } from '@tds/base';
import { settlementQueue } from '../../credits/index.ts';
import type { ByPriority } from '../../domain/operation.ts';

export type SlotsByPriority = ByPriority<number>;

const ACQUIRE = 'SELECT acquire_slots(p_worker_id => $1, p_kept => $2, p_wanted => $3, p_all => $4) AS slots';

export type SlotRequest = {
  /** Slots it may use until the answer. */
  readonly current: SlotsByPriority;
  readonly target: SlotsByPriority;
  /** Slots of all workers together. */
  readonly all: SlotsByPriority;
};

/** Sends a heartbeat that is valid for ten seconds. Returns the worker's slots. */
export const acquireSlots = async (
  sql: Sql,
  workerId: string,
  { current, target, all }: SlotRequest,
): Promise<SlotsByPriority> =>
  onlyRow(await sql<{ slots: SlotsByPriority }>(ACQUIRE, [workerId, current, target, all])).slots;

const RELEASE = `
  WITH gone AS (DELETE FROM workers WHERE id = $1 OR alive_until < now() - interval '1 hour')
  UPDATE fetches SET worker_id = NULL WHERE worker_id = $1 AND state = 'open'`;

/** Releases the fetches of a worker that stops in order; this does not count as a death. */
export const releaseSlots = async (sql: Sql, id: string): Promise<void> => {
  await sql(RELEASE, [id]);
};

/** A read's credit is reserved within this time of its creation, or never. */
export const MAX_RESERVING_SECONDS = 20;

/** When work of a dead process may first be found. Open fetches and waiting rows count at any time. */
export const FIRST_LOST = `
  SELECT min(at) FROM (
    (${settlementQueue.firstDue})
    UNION ALL
    (SELECT created_at + interval '${MAX_RESERVING_SECONDS} s' FROM operations WHERE state = 'opened' ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT begun_at FROM fetches WHERE state = 'open' LIMIT 1)
    UNION ALL
    (SELECT turn FROM turns WHERE is_queued ORDER BY priority, turn LIMIT 1)
  ) AS left_behind (at)`;
