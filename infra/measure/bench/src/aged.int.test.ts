import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Servers, startServers } from '@tds/local';
import { withClient } from '@tds/servers';
import { proven } from '@tds/test-kit';
import type { Bench } from './benchmark.ts';
import { benchSurface } from './support/bench-service.ts';
import { createSide, fillSide, type Side } from './testing/sides.ts';
import { createWorks, type Place, type Work } from './testing/works.ts';

const CUSTOMERS = 250;
/**
 * Blocks of 8 KiB that a path may read beside those of the empty system. A purge has more: indexes of its rows are deeper, and an index by
 * ranges finds 128 blocks at a time.
 */
const MAX_MORE = 400;
const MAX_MORE_OF_PURGES = 1_500;
const MAX_MS_LENGTH = 300_000;

const dir = mkdtempSync(path.join(tmpdir(), 'tds-aged-'));
let servers: Servers | undefined;
afterAll(async () => {
  await servers?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const start = async (): Promise<{ bench: Bench; full: Side; empty: Side }> => {
  servers = await startServers({
    ...{ dir, throwaway: true, moreSurfaces: [benchSurface] },
    postgresSettings: { shared_preload_libraries: 'pg_stat_statements', max_connections: '200' },
  });
  await withClient(servers.postgres.url, (client) => client.query('CREATE EXTENSION pg_stat_statements'));
  const bench: Bench = {
    ...{ rounds: 1, seconds: 1, deliveries: 0, dir, profileDir: null, servers, log: () => {} },
  };
  const [full, empty] = [await createSide(bench, 'full', CUSTOMERS), await createSide(bench, 'empty', 1)];
  for (const side of [full, empty]) await fillSide(side, CUSTOMERS, bench.log);
  return { bench, full, empty };
};

let system: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  system = await start();
}, MAX_MS_LENGTH);

const READ = `
  SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int AS blocks FROM pg_stat_statements
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`;

/** The blocks that the second run reads: the first one fills the caches of its connections. */
const blocksOf = async (bench: Bench, { adminUrl }: Place, { before, run }: Work): Promise<number> =>
  withClient(bench.servers.postgres.url, async (client) => {
    const read = async () =>
      (await client.query<{ blocks: number }>(READ, [new URL(adminUrl).pathname.slice(1)])).rows[0]?.blocks ??
      0;
    await before?.();
    await run();
    await before?.();
    const startedWith = await read();
    await run();
    return (await read()) - startedWith;
  });

// A year of data takes half a minute of CPU to make.
proven(it.skip, it)(
  'every purge, schedule, list and claim reads as little in a year of data as in an empty system',
  async () => {
    const { bench, full, empty } = system;
    const tooMuch: string[] = [];
    const measured: string[] = [];
    for (const [at, place] of full.places.entries()) {
      await using stack = new AsyncDisposableStack();
      const other = empty.places[at] as Place;
      const [works, others] = [await createWorks(bench, place, stack), await createWorks(bench, other, stack)];
      for (const [name, work] of Object.entries(works)) {
        const blocks = await blocksOf(bench, place, work);
        const more = work.before ? MAX_MORE_OF_PURGES : MAX_MORE;
        const most = (await blocksOf(bench, other, others[name] as Work)) + more;
        if (blocks > most) tooMuch.push(`${name}: ${blocks} blocks, more than ${most}`);
        measured.push(name);
      }
    }
    expect(tooMuch).toEqual([]);
    expect(measured.length).toBeGreaterThan(100);
  },
  MAX_MS_LENGTH,
);
