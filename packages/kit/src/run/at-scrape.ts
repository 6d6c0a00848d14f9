import type { Instruments } from '@tds/base';
import type { Metrics } from '@tds/base/internals';
import { type Check, runChecks } from '@tds/base/internals';
import { type Surface, wireNameOf } from '@tds/contracts';
import { measureQueues } from '@tds/messaging/internals';
import type { Pool } from 'pg';
import type { Backlog } from '../service.ts';
import type { Foundations } from './foundations.ts';
import { kitSchedules, schedulesOfOne } from './kit-schedules.ts';

const CHECKED_WITHIN_MS = 1_000;

/** A running schedule is due until it has ended, so one that hangs is overdue. */
const SCHEDULES = `
  SELECT name, greatest(extract(epoch FROM clock_timestamp() - next_due_at), 0)::float8 AS overdue,
    last_error IS NOT NULL AS failing
  FROM messaging.schedules WHERE name = ANY ($1::text[])`;

const SIZE = 'SELECT pg_database_size(current_database())::float8 AS bytes';

type ScrapeDeps = {
  readonly surface: Surface;
  readonly instruments: Instruments;
  readonly foundations: Pick<Foundations, 'pool' | 'kitPool'>;
  readonly checks: ReadonlyMap<string, Check>;
  readonly backlogs: ReadonlyMap<string, () => Promise<Backlog>>;
};

const measurePool = (connections: Instruments['poolConnections'], name: string, pool: Pool): void => {
  connections.set({ pool: name, state: 'total' }, pool.totalCount);
  connections.set({ pool: name, state: 'idle' }, pool.idleCount);
  connections.set({ pool: name, state: 'waiting' }, pool.waitingCount);
};

const measureSchedules = async (pool: Pool, surface: Surface, instruments: Instruments): Promise<void> => {
  const names = Object.keys({ ...schedulesOfOne(surface), ...kitSchedules(surface) }).map(wireNameOf);
  const { rows } = await pool.query<{ name: string; overdue: number; failing: boolean }>(SCHEDULES, [names]);
  for (const { name, overdue, failing } of rows) {
    instruments.scheduleOverdue.set({ name }, overdue);
    instruments.scheduleFailing.set({ name }, failing ? 1 : 0);
  }
};

/** Counts backlogs in the service's own tables; a failing count does not hide the others. */
const measureBacklogs = async ({ backlogs, instruments }: ScrapeDeps): Promise<void> => {
  const counted = await Promise.allSettled(
    [...backlogs].map(async ([what, read]) => ({ what, ...(await read()) })),
  );
  instruments.backlog.reset();
  instruments.backlogOldest.reset();
  for (const result of counted) {
    if (result.status === 'rejected') continue;
    const { what, count, oldestSeconds } = result.value;
    instruments.backlog.set({ what }, count);
    if (oldestSeconds !== undefined) instruments.backlogOldest.set({ what }, oldestSeconds);
  }
};

const measureChecks = async ({ checks, instruments }: ScrapeDeps): Promise<void> => {
  const results = await runChecks(checks, CHECKED_WITHIN_MS);
  instruments.checkFailing.reset();
  for (const [check, result] of Object.entries(results))
    instruments.checkFailing.set({ check }, result === 'ok' ? 0 : 1);
};

/** Reads these values at each scrape, and never in between. */
export const measureAtScrape = ({ onScrape }: Pick<Metrics, 'onScrape'>, deps: ScrapeDeps): void => {
  const { surface, instruments, foundations } = deps;
  const { poolConnections, checkFailing, scheduleOverdue, databaseBytes, backlog, backlogOldest } =
    instruments;
  const { pool, kitPool } = foundations;
  // First, because the queries of the others would count as waiting.
  onScrape({
    sets: [poolConnections],
    collect: () => {
      if (pool) measurePool(poolConnections, 'service', pool);
      if (kitPool) measurePool(poolConnections, 'kit', kitPool);
    },
  });
  onScrape({ sets: [checkFailing], collect: () => measureChecks(deps) });
  if (!kitPool) return;
  measureQueues({ onScrape }, { pool: kitPool, metrics: instruments });
  onScrape({ sets: [scheduleOverdue], collect: () => measureSchedules(kitPool, surface, instruments) });
  onScrape({
    sets: [databaseBytes],
    collect: async () =>
      databaseBytes.set((await kitPool.query<{ bytes: number }>(SIZE)).rows[0]?.bytes ?? 0),
  });
  onScrape({ sets: [backlog, backlogOldest], collect: () => measureBacklogs(deps) });
};
