import { storedServiceNames } from '../services.ts';
import type { Arena } from './arena.ts';
import { countIn } from './redis-pulse.ts';
import { until } from './until.ts';

/** Beyond the sweepers' own bounds: three minutes for an operation, two for its settlement. */
const WITHIN_MS = 330_000;
/** Beyond a second, within which gateways tell what they have kept in memory. */
const LOOK_EVERY_MS = 1_100;

const WAITING = `
  SELECT (SELECT count(*) FROM messaging.outbox WHERE published_at IS NULL)::int
    + (SELECT count(*) FROM messaging.tasks WHERE state = 'ready')::int AS count`;
const OPEN = `
  SELECT count(*)::int AS count FROM operations
  WHERE state IN ('reserving', 'fetching') OR settlement = 'pending'`;
/** What gateways have still to tell the fetcher. */
const DISOWNED = 'gateway:disowned';
const HEARD = `
  SELECT (SELECT count(*) FROM messaging.inbox)::int + (SELECT count(*) FROM messaging.dead_letters)::int AS count`;

const sumIn = async ({ evidence }: Arena, service: string, sql: string): Promise<number> =>
  (await evidence.rows<{ count: number }>(service, sql))[0]?.count ?? 0;

const unfinished = async (arena: Arena): Promise<number> => {
  let count = await sumIn(arena, 'transcript-fetcher', OPEN);
  count += await countIn(arena.system.redisPort, DISOWNED);
  for (const service of storedServiceNames) count += await sumIn(arena, service, WAITING);
  return count;
};

const heard = async (arena: Arena): Promise<number> => {
  let count = 0;
  for (const service of storedServiceNames) count += await sumIn(arena, service, HEARD);
  return count;
};

/** Nothing is open, and between two looks nothing more was heard. Resolves to the milliseconds that took, or null. */
export const untilQuiet = async (arena: Arena, withinMs = WITHIN_MS): Promise<number | null> => {
  const { system, history } = arena;
  const from = history.now();
  system.simulator.faults.clear();
  system.simulator.setLatency(0);
  for (const each of system.processes) await each.untilReady(30_000);
  let before = -1;
  const isQuiet = async () => {
    const now = await heard(arena);
    const quiet = now === before && (await unfinished(arena)) === 0;
    before = now;
    return quiet;
  };
  const done = await until(isQuiet, { withinMs, everyMs: LOOK_EVERY_MS });
  return done ? history.now() - from : null;
};
