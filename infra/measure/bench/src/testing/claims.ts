import { randomUUID } from 'node:crypto';
import { createSql } from '@tds/base';
import { claimTasks } from '@tds/queue/internals';
import { jobQueue } from '../../../../../services/bulk-orchestrator/src/store/clocks.ts';
import { feedQueue } from '../../../../../services/monitor-scheduler/src/store/feeds.ts';
import {
  actionQueue,
  monitorQueue,
} from '../../../../../services/monitor-scheduler/src/store/monitor-turns.ts';
import { claimRows } from '../../../../../services/transcript-fetcher/src/fetches/store/rows.ts';
import { takeTurn } from '../../../../../services/webhook-dispatcher/src/store/attempts.ts';
import type { IdleService, Pool } from './idle-service.ts';
import { idOf } from './year-fill.ts';

/** `due` makes one piece of work due; `claim` returns what it has taken. */
export type Claim = { readonly due: string; claim(service: IdleService): Promise<readonly unknown[]> };

const LEASE_MS = 60_000;
/** Times of tables are rounded to milliseconds, also up. */
const PAST = `now() - interval '1 second'`;
const first = (kind: string): string => `id = ${idOf(kind, '0')}`;
const dueNow = (table: string, kind = table): string =>
  `UPDATE ${table} SET due_at = ${PAST}, lease_until = NULL WHERE ${first(kind)}`;
const owner = idOf('accounts', '0');

const deliveryDue = `
  WITH waits AS (UPDATE endpoints SET due_at = ${PAST} WHERE ${first('endpoints')}),
    begins AS (UPDATE queues SET due_at = ${PAST} WHERE account_id = ${owner})
  UPDATE deliveries SET state = 'waiting', attempts = 1, due_at = ${PAST} WHERE ${first('deliveries#waiting')}`;

const rowReady = `
  WITH served AS (UPDATE batches SET is_queued = false WHERE account_id = ${owner} AND is_queued),
    batch AS (INSERT INTO batches (id, priority, account_id, turn, is_queued) VALUES (gen_random_uuid(), 'jobs', ${owner}, now(), true) RETURNING id),
    turn AS (INSERT INTO turns VALUES ('jobs', ${owner}, now(), true) ON CONFLICT (priority, account_id) DO UPDATE SET is_queued = true)
  INSERT INTO operations (id, priority, batch_id, position, account_id, video_id, language, fallback, format, state, price)
  SELECT gen_random_uuid(), 'jobs', id, 0, ${owner}, left(md5(id::text), 11), 'en', true, 'srt', 'ready', 0 FROM batch`;

/** Claims of the services' own queues. */
export const claims: Readonly<Record<string, Readonly<Record<string, Claim>>>> = {
  'bulk-orchestrator': {
    'a due job': {
      due: dueNow('jobs', 'jobs#paused'),
      claim: ({ pool }) => jobQueue.claim(pool, 1),
    },
  },
  'monitor-scheduler': {
    'a due feed': { due: dueNow('feeds'), claim: ({ pool }) => feedQueue.claim(pool, 1) },
    'a due monitor': { due: dueNow('monitors'), claim: ({ pool }) => monitorQueue.claim(pool, 1) },
    'a due action': { due: dueNow('actions', 'monitors'), claim: ({ pool }) => actionQueue.claim(pool, 1) },
  },
  'transcript-fetcher': {
    'a waiting row': {
      due: rowReady,
      claim: async ({ pool }) => {
        const options = { workerId: randomUUID(), priority: 'jobs' as const, slots: 1 };
        return (await claimRows(createSql(pool), options))?.begun ?? [];
      },
    },
  },
  'webhook-dispatcher': {
    'a due delivery': { due: deliveryDue, claim: ({ pool }) => takeTurn(createSql(pool), [], 1) },
  },
};

export const TASK = 'bench';

/** The kit's claim of a task, in every service. */
export const taskClaim = (kitPool: Pool): Claim => {
  return {
    due: `INSERT INTO messaging.tasks (name, payload, due_at) VALUES ('${TASK}', '{}', ${PAST})`,
    claim: () => claimTasks(kitPool, [{ name: TASK, limit: 1, leaseMs: LEASE_MS }]),
  };
};
