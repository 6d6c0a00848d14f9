import { storedServiceNames } from '@tds/local';
import { countOpenWork, until } from '#support';
import { checkPaidPurchases } from './checks/paid-purchases.ts';
import { checkUploads } from './checks/uploaded-videos.ts';
import type { Harness } from './harness.ts';
import { countIn } from './load/redis-pulse.ts';
import { LOOK_AT_FEEDS } from './load/uploads.ts';

/** Beyond the sweepers' own bounds: three minutes for a fetch, two until the ledger hears of it. */
const WITHIN_MS = 330_000;
/** Beyond a second, within which gateways tell what they have kept in memory. */
const LOOK_EVERY_MS = 1_100;

/** Budget and platform are there again by now; what has come to the day's cap waits until midnight. */
const PAUSED_JOBS = `
  SELECT count(*)::int AS count FROM jobs
  WHERE finished_at IS NULL AND pause_reason IS NOT NULL AND pause_reason <> 'daily_limit'`;
/** Videos of watched channels that were not sent or fetched. A monitor whose owner removed the webhook waits for a new one. */
const OPEN_MONITORS = `
  SELECT count(*)::int AS count FROM monitors AS m JOIN feeds AS f ON f.id = m.feed_id
  WHERE f.failures < 6 AND m.emitted_pause IS DISTINCT FROM 'webhook_missing'
    AND (m.emitted < f.last_number OR (m.auto_fetch AND m.fetched < f.last_number AND NOT m.lacks_credits))`;
/** What gateways have still to tell fetcher and search. */
const WAIVED = 'gateway:waived';
const HEARD = `
  SELECT (SELECT count(*) FROM messaging.inbox)::int + (SELECT count(*) FROM messaging.dead_letters)::int AS count`;

/** Makes waiting and retried work due now, instead of in minutes or hours. */
const SOONER: Readonly<Record<string, readonly string[]>> = {
  archiver: [`UPDATE messaging.tasks SET due_at = now() WHERE state = 'ready' AND due_at > now()`],
  'webhook-dispatcher': [
    `UPDATE deliveries SET due_at = now() WHERE state = 'waiting' AND due_at > now()`,
    `UPDATE endpoints SET due_at = now() WHERE due_at > now()`,
    `UPDATE queues SET due_at = now() WHERE due_at > now()`,
  ],
  'monitor-scheduler': [
    LOOK_AT_FEEDS,
    'UPDATE monitors SET due_at = now() WHERE feed_id IS NOT NULL AND due_at > now()',
    'UPDATE actions SET due_at = now() WHERE due_at > now()',
  ],
};

const sumIn = async ({ evidence }: Harness, service: string, sql: string): Promise<number> =>
  (await evidence.rows<{ count: number }>(service, sql))[0]?.count ?? 0;

/** What is still open, by its kind. */
const openWork = async (harness: Harness): Promise<Record<string, number>> => {
  const open: Record<string, number> = {
    ...(await countOpenWork(harness.evidence, '1 year')),
    'paused jobs': await sumIn(harness, 'bulk-orchestrator', PAUSED_JOBS),
    // Billing finds a purchase whose webhook was lost in the processor's list, which it reads every minute.
    purchases: (await checkPaidPurchases(harness)).length,
    uploads: (await checkUploads(harness)).length,
    monitors: await sumIn(harness, 'monitor-scheduler', OPEN_MONITORS),
    waived: await countIn(harness.system.redisUrl, WAIVED),
  };
  return Object.fromEntries(Object.entries(open).filter(([, count]) => count > 0));
};

const hurry = async ({ evidence }: Harness): Promise<void> => {
  for (const [service, statements] of Object.entries(SOONER))
    for (const sql of statements) await evidence.rows(service, sql);
};

const heard = async (harness: Harness): Promise<number> => {
  let count = 0;
  for (const service of storedServiceNames) count += await sumIn(harness, service, HEARD);
  return count;
};

/** Waits until nothing is open and no message arrives. Resolves to the milliseconds that took, or to null after reporting the open work. */
export const untilQuiet = async (harness: Harness, withinMs = WITHIN_MS): Promise<number | null> => {
  const { system, history, say } = harness;
  const from = history.now();
  system.simulator.faults.clear();
  system.simulator.setLatency(0);
  for (const each of system.processes) await each.untilReady(30_000);
  let before = -1;
  let open: Record<string, number> = {};
  const isQuiet = async () => {
    await hurry(harness);
    const now = await heard(harness);
    open = await openWork(harness);
    const quiet = now === before && Object.keys(open).length === 0;
    before = now;
    return quiet;
  };
  if (await until(isQuiet, { withinMs, everyMs: LOOK_EVERY_MS })) return history.now() - from;
  say(`work is left open: ${JSON.stringify(open)}`);
  return null;
};
