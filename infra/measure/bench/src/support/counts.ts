import { setTimeout as delay } from 'node:timers/promises';
import { OPERATOR } from '@tds/messaging/internals';
import { withClient } from '@tds/servers';
import type { Bench } from '../benchmark.ts';
import { connectOperator } from './bench-service.ts';
import type { BenchSystem } from './bench-system.ts';

/** Settings of Postgres for `countDuring`. */
export const countingSettings = { shared_preload_libraries: 'pg_stat_statements' };

const NAMES = [
  'platform requests',
  'bytes from the platform',
  'statements',
  'commits',
  'bus messages',
] as const;
/** Per operation. Commits are transactions that wrote something; messages are those published. */
export type Counts = Readonly<Record<(typeof NAMES)[number], number>>;

const SETTLED_MS = 500;
const IDLE_MS = 3_000;
const READ = `
  SELECT coalesce(sum(calls) FILTER (WHERE query !~* '^(BEGIN|COMMIT|ROLLBACK|SET|DEALLOCATE)'), 0)::float8 AS statements,
    pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS commits
  FROM pg_stat_statements WHERE userid <> current_user::regrole`;

/**
 * Counts what each of `operations` causes beyond what the idle system does in the same time. Listening to the bus costs CPU, so measure time
 * and CPU without it. The system must be idle before.
 */
export const countDuring = async (
  { servers: { postgres, nats } }: Bench,
  { platform }: Pick<BenchSystem, 'platform'>,
  operations: number,
  work: () => Promise<unknown>,
): Promise<Counts> => {
  let messages = 0;
  const bus = await connectOperator(nats.servers, nats.seedOf(OPERATOR));
  bus.subscribe('>', {
    callback: () => {
      messages += 1;
    },
  });
  return withClient(postgres.url, async (client) => {
    const read = async (): Promise<number[]> => {
      const requests = await platform.ask<number>('requests');
      const bytes = await platform.ask<number>('bytes');
      const { rows } = await client.query<{ statements: number; commits: number }>(READ);
      return [requests, bytes, rows[0]?.statements ?? 0, rows[0]?.commits ?? 0, messages];
    };
    const during = async (act: () => Promise<unknown>) => {
      const [before, startedAt] = [await read(), performance.now()];
      await act();
      await delay(SETTLED_MS);
      const tookMs = performance.now() - startedAt;
      return { tookMs, counts: (await read()).map((count, at) => count - (before[at] ?? 0)) };
    };
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const idle = await during(() => delay(IDLE_MS));
    const busy = await during(work);
    const each = NAMES.map((name, at) => {
      const idleCount = ((idle.counts[at] ?? 0) / idle.tookMs) * busy.tookMs;
      return [name, Math.max(0, (busy.counts[at] ?? 0) - idleCount) / operations];
    });
    return Object.fromEntries(each) as Counts;
  }).finally(() => bus.close());
};

/** What an operation causes, as a note says it. */
export const countsText = (operation: string, counts: Counts): string =>
  `${operation} causes ${NAMES.map((name) => `${counts[name].toFixed(2)} ${name}`).join(', ')}.`;
