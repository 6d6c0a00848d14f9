import { randomUUID } from 'node:crypto';
import type { Servers } from '@tds/local';
import { OPERATOR } from '@tds/messaging/internals';
import { urlFor, withClient } from '@tds/servers';
import type { Bench, Benchmark, Row } from '../benchmark.ts';
import type { PairsOptions, PairsResult } from '../helpers/ledger-load.ts';
import { openLedgerAccounts } from '../support/accounts.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { measure, row } from '../support/measure.ts';
import { findPgbench, type Pgbench, preparePgbench } from '../support/pgbench.ts';
import { cpuMicros, treeCpuMicros } from '../support/procfs.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { median } from '../support/statistics.ts';

const ACCOUNTS = 1_000;
const CREDITS = 1_000_000;
const CLIENTS = [16, 64, 256] as const;
const CLIENTS_OF_ONE_ACCOUNT = [16, 64] as const;
const WARM_UP_SECONDS = 10;
const LEDGER = 'credits-ledger';

type Stage = {
  readonly servers: Servers;
  readonly ledger: ServiceProcess;
  readonly generator: Helper;
  readonly pgbench: Pgbench | null;
};

type Measured = {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpu: { readonly ledger: number; readonly postgres: number; readonly generator: number };
};

const settledEntries = ({ postgres }: Servers): Promise<number> =>
  withClient(urlFor(postgres.url, 'credits_ledger'), async (client) => {
    const { rows } = await client.query(`SELECT count(*)::int AS settled FROM entries WHERE kind = 'settle'`);
    return rows[0]?.settled ?? 0;
  });

/** Throws if an answer was an error, or if the books lack a pair. */
const measurePairs = async (
  { servers, ledger, generator }: Stage,
  load: Omit<PairsOptions, 'nats' | 'seed'>,
): Promise<Measured> => {
  const { nats, postgres } = servers;
  const settledBefore = await settledEntries(servers);
  const before = { ledger: cpuMicros([ledger.pid]), postgres: treeCpuMicros(postgres.pid) };
  const result = await generator.ask<PairsResult>('pairs', {
    nats: nats.servers,
    seed: nats.seedOf(OPERATOR),
    ...load,
  });
  const { pairs, failures, perSecond, p99Ms } = result;
  const cpu = {
    ledger: (cpuMicros([ledger.pid]) - before.ledger) / pairs,
    postgres: (treeCpuMicros(postgres.pid) - before.postgres) / pairs,
    generator: result.cpuMicros / pairs,
  };
  if (Object.keys(failures).length > 0) throw new Error(`pairs that failed: ${JSON.stringify(failures)}`);
  const settled = (await settledEntries(servers)) - settledBefore;
  if (settled !== pairs) throw new Error(`${pairs} pairs were answered, ${settled} are in the books`);
  return { perSecond, p99Ms, cpu };
};

const measurePeer = async (
  { servers, pgbench }: Stage,
  load: { clients: number; seconds: number },
): Promise<{ perSecond: number; postgres: number }> => {
  const before = treeCpuMicros(servers.postgres.pid);
  const perSecond = (await pgbench?.simpleUpdate(load)) ?? Number.NaN;
  const used = treeCpuMicros(servers.postgres.pid) - before;
  return { perSecond, postgres: used / (perSecond * load.seconds) };
};

const compare = async (
  bench: Bench,
  stage: Stage,
  load: { path: string; clients: number; accountIds: readonly string[]; least: number },
): Promise<{ row: Row; note: string }> => {
  const { path, clients, accountIds, least } = load;
  const ours = (seconds: number) => measurePairs(stage, { clients, seconds, accountIds });
  await ours(WARM_UP_SECONDS);
  const runs = await measure(bench, {
    ours,
    peer: (seconds) => measurePeer(stage, { clients, seconds }),
  });
  const middle = (of: (one: Measured) => number) => median(runs.ours.map(of)).toFixed(0);
  const peerCpu = median(runs.peer.map(({ postgres }) => postgres)).toFixed(0);
  return {
    row: row(path, 'pairs/s', {
      ours: runs.ours.map(({ perSecond }) => perSecond),
      peer: stage.pgbench ? runs.peer.map(({ perSecond }) => perSecond) : null,
      goal: stage.pgbench ? { least } : null,
      cpu: `ledger ${middle(({ cpu }) => cpu.ledger)} + Postgres ${middle(({ cpu }) => cpu.postgres)}, generator ${middle(({ cpu }) => cpu.generator)}; pgbench: Postgres ${peerCpu}`,
    }),
    note: `${path}: p99 of a pair ${middle(({ p99Ms }) => p99Ms)} ms.`,
  };
};

const compareAll = async (bench: Bench, stage: Stage): Promise<{ row: Row; note: string }[]> => {
  const accountIds = Array.from({ length: ACCOUNTS }, () => randomUUID());
  const [hot = ''] = accountIds;
  await openLedgerAccounts(stage.servers, accountIds, CREDITS);
  const results = [];
  for (const clients of CLIENTS) {
    const path = `ledger, reserve then settle, ${clients} clients`;
    results.push(await compare(bench, stage, { path, clients, accountIds, least: 0.8 }));
  }
  for (const clients of CLIENTS_OF_ONE_ACCOUNT) {
    const path = `ledger, one hot account, ${clients} clients`;
    results.push(await compare(bench, stage, { path, clients, accountIds: [hot], least: 0.35 }));
  }
  return results;
};

export const ledgerPairs: Benchmark = {
  name: 'ledger',
  title: 'Ledger: reserve, then settle, through the service over NATS, against pgbench simple-update',
  run: async (bench) => {
    const servers = await bench.servers();
    const version = findPgbench();
    const pgbench = version === null ? null : await preparePgbench(servers.postgres.url);
    await using ledger = await startServiceProcess(bench, LEDGER);
    await using generator = await startHelper('ledger-load');
    const results = await compareAll(bench, { servers, ledger, generator, pgbench });
    return {
      rows: results.map((result) => result.row),
      notes: [
        pgbench
          ? `Peer: ${version}, --builtin simple-update --protocol prepared, same server, same number of clients.`
          : 'pgbench is not on PATH, so there is no peer: install Postgres with its contrib programs.',
        'A pair is two requests over NATS, each answered after its commit, which it may share with others; every answer was checked, and the books hold as many settlements as there were pairs.',
        ...results.map(({ note }) => note),
      ],
    };
  },
};
