import { randomUUID } from 'node:crypto';
import { type Benchmark, measure, median, type Row, WARM_UP_SECONDS } from '../benchmark.ts';
import type { PairsOptions, PairsResult } from '../helpers/ledger-load.ts';
import { openLedgerAccounts } from '../support/accounts.ts';
import { benchEnvironment } from '../support/bench-service.ts';
import { queryAs } from '../support/databases.ts';
import { startHelper } from '../support/helper.ts';
import { findPgbench, preparePgbench } from '../support/pgbench.ts';
import { startServiceProcess } from '../support/service-process.ts';

const ACCOUNTS = 1_000;
const CREDITS = 1_000_000;
const LEDGER = 'credits-ledger';
const SETTLED = `SELECT count(*)::int AS settled FROM entries WHERE kind = 'settle'`;

const accountIds = Array.from({ length: ACCOUNTS }, () => randomUUID());
const hot = accountIds.slice(0, 1);
const loads = [
  ...[16, 64, 256].map((clients) => ({ name: 'reserve then settle', accountIds, clients, min: 0.8 })),
  ...[16, 64].map((clients) => ({ name: 'one hot account', accountIds: hot, clients, min: 0.35 })),
];

export const benchmark: Benchmark = {
  title: 'Ledger: reserve, then settle, through the service over NATS, against pgbench simple-update',
  run: async (bench) => {
    const { servers } = bench;
    const version = findPgbench();
    const pgbench = version === null ? null : await preparePgbench(servers.postgres.url);
    await using _ledger = await startServiceProcess(bench, LEDGER);
    await using generator = await startHelper('ledger-load', benchEnvironment(bench));
    const countSettled = async () =>
      (await queryAs<{ settled: number }>(servers, LEDGER, SETTLED))[0]?.settled ?? 0;
    /** Throws if an answer was an error, or if the books lack a pair. */
    const pairs = async (options: PairsOptions): Promise<PairsResult> => {
      const before = await countSettled();
      const result = await generator.ask<PairsResult>('pairs', options);
      const { requests, failures } = result;
      if (Object.keys(failures).length > 0) throw new Error(`pairs that failed: ${JSON.stringify(failures)}`);
      const booked = (await countSettled()) - before;
      if (booked !== requests) throw new Error(`${requests} pairs were answered, ${booked} are in the books`);
      return result;
    };
    await openLedgerAccounts(servers, accountIds, CREDITS);
    const rows: Row[] = [];
    const notes: string[] = [];
    for (const { name, min, ...load } of loads) {
      const path = `ledger, ${name}, ${load.clients} clients`;
      await pairs({ ...load, seconds: WARM_UP_SECONDS });
      const { ours, peer } = await measure(bench, {
        ours: (seconds) => pairs({ ...load, seconds }),
        peer: async (seconds) => pgbench?.simpleUpdate({ clients: load.clients, seconds }) ?? Number.NaN,
      });
      const comparison = pgbench ? { peer, goal: { min } } : {};
      rows.push({ path, unit: 'pairs/s', ours: ours.map(({ perSecond }) => perSecond), ...comparison });
      notes.push(`${path}: p99 of a pair ${median(ours.map(({ p99Ms }) => p99Ms)).toFixed(0)} ms.`);
    }
    return {
      rows,
      notes: [
        pgbench
          ? `Peer: ${version}, --builtin simple-update --protocol prepared, same server, same number of clients.`
          : 'pgbench is not on PATH, so there is no peer: install Postgres with its contrib programs.',
        'A pair is two requests over NATS, each answered after its commit, which it may share with others; every answer was checked, and the books hold as many settlements as there were pairs.',
        ...notes,
      ],
    };
  },
};
