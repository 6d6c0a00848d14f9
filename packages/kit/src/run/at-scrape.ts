import type { Instruments } from '@tds/base';
import { runChecks } from '@tds/base/internals';
import { type Surface, wireNameOf } from '@tds/contracts';
import { measureQueues } from '@tds/messaging/internals';
import type { Pool } from 'pg';
import type { Connections } from './connections.ts';
import { kitSchedules, schedulesOfOne } from './kit-schedules.ts';
import type { Life } from './life.ts';

const CHECK_TIMEOUT_MS = 1_000;

/** A running schedule is due until it has ended, so one that hangs is overdue. */
const SCHEDULES = `
  SELECT name, greatest(extract(epoch FROM clock_timestamp() - due_at), 0)::float8 AS overdue,
    last_error IS NOT NULL AS failing
  FROM messaging.schedules WHERE name = ANY ($1::text[])`;

const SIZE = 'SELECT pg_database_size(current_database())::float8 AS bytes';

const measurePool = (connections: Instruments['poolConnections'], name: string, pool: Pool): void => {
  connections.set({ pool: name, state: 'total' }, pool.totalCount);
  connections.set({ pool: name, state: 'idle' }, pool.idleCount);
  connections.set({ pool: name, state: 'waiting' }, pool.waitingCount);
};

const measureSchedules = async (pool: Pool, surface: Surface, metrics: Instruments): Promise<void> => {
  const names = Object.keys({ ...schedulesOfOne(surface), ...kitSchedules(surface) }).map(wireNameOf);
  const { rows } = await pool.query<{ name: string; overdue: number; failing: boolean }>(SCHEDULES, [names]);
  for (const { name, overdue, failing } of rows) {
    metrics.scheduleOverdue.set({ name }, overdue);
    metrics.scheduleFailing.set({ name }, failing ? 1 : 0);
  }
};

/** Counts backlogs in the service's own tables; a failing count does not hide the others. */
const measureBacklogs = async ({ backlogs, metrics }: Life): Promise<void> => {
  const counts = await Promise.allSettled(
    [...backlogs].map(async ([what, read]) => ({ what, ...(await read()) })),
  );
  metrics.backlog.reset();
  metrics.backlogOldest.reset();
  for (const result of counts) {
    if (result.status === 'rejected') continue;
    const { what, count, oldestSeconds } = result.value;
    metrics.backlog.set({ what }, count);
    if (oldestSeconds !== undefined) metrics.backlogOldest.set({ what }, oldestSeconds);
  }
};

const measureChecks = async ({ checks, metrics }: Life): Promise<void> => {
  const results = await runChecks(checks, CHECK_TIMEOUT_MS);
  metrics.checkFailing.reset();
  for (const [check, result] of Object.entries(results))
    metrics.checkFailing.set({ check }, result === 'ok' ? 0 : 1);
};

/** Reads these values at each scrape, and never in between. */
export const measureAtScrape = (life: Life, { pool, kitPool }: Connections): void => {
  const { surface, metrics } = life;
  const { poolConnections, checkFailing, scheduleOverdue, databaseBytes, backlog, backlogOldest, onScrape } =
    metrics;
  // First, because the queries of the others would count as waiting.
  onScrape({
    sets: [poolConnections],
    collect: () => {
      if (pool) measurePool(poolConnections, 'service', pool);
      if (kitPool) measurePool(poolConnections, 'kit', kitPool);
    },
  });
  onScrape({ sets: [checkFailing], collect: () => measureChecks(life) });
  if (!kitPool) return;
  measureQueues({ pool: kitPool, metrics });
  onScrape({ sets: [scheduleOverdue], collect: () => measureSchedules(kitPool, surface, metrics) });
  onScrape({
    sets: [databaseBytes],
    collect: async () => databaseBytes.set((await kitPool.query<{ bytes: number }>(SIZE)).rows[0]?.bytes ?? 0),
  });
  onScrape({ sets: [backlog, backlogOldest], collect: () => measureBacklogs(life) });
};
