import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endingSignal, type Servers, startServers } from '@tds/local';
import { localDir } from '@tds/servers';
import type { Bench, Benchmark } from './benchmark.ts';
import { archive } from './benchmarks/archive.ts';
import { bulkJob } from './benchmarks/bulk-job.ts';
import { cachedRead } from './benchmarks/cached-read.ts';
import { coldOverhead } from './benchmarks/cold-overhead.ts';
import { enumeration } from './benchmarks/enumeration.ts';
import { idleSystem } from './benchmarks/idle-system.ts';
import { jobStreams } from './benchmarks/job-streams.ts';
import { ledgerPairs } from './benchmarks/ledger-pairs.ts';
import { ledgerScale } from './benchmarks/ledger-scale.ts';
import { limiterAccuracy } from './benchmarks/limiter-accuracy.ts';
import { listingPage } from './benchmarks/listing-page.ts';
import { outboxLag } from './benchmarks/outbox-lag.ts';
import { refusedRequest } from './benchmarks/refused-request.ts';
import { tasks } from './benchmarks/tasks.ts';
import { usagePages } from './benchmarks/usage-pages.ts';
import { benchSurface } from './support/bench-surface.ts';
import { type Facts, machineFacts } from './support/machine.ts';
import { type Finished, isMet, rowsAsTable, withReport } from './support/report.ts';

/** Measures this system against bare peers in the same run. Ends with 1 where a goal was missed. */

const INTERRUPTED = 130;
const all = [
  cachedRead,
  listingPage,
  enumeration,
  refusedRequest,
  ledgerPairs,
  ledgerScale,
  outboxLag,
  tasks,
  coldOverhead,
  bulkJob,
  idleSystem,
  limiterAccuracy,
  usagePages,
  archive,
  jobStreams,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    /** Of `ledger-scale`. */
    deliveries: { type: 'string', default: '1000000' },
    report: { type: 'string' },
    /** Services leave CPU profiles in .local/bench-profiles. */
    profile: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const choose = (names: readonly string[]): Benchmark[] => {
  const unknown = names.filter((wanted) => !all.some(({ name }) => name === wanted));
  if (unknown.length > 0) {
    throw new Error(
      `no benchmark ${unknown.join(', ')}: there are ${all.map(({ name }) => name).join(', ')}`,
    );
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
};

const dir = path.join(localDir, `bench-${process.pid}`);
const say = (line: string): void => console.error(line);
let starting: Promise<Servers> | undefined;
const servers = (): Promise<Servers> => {
  starting ??= startServers({ dir, throwaway: false, moreSurfaces: [benchSurface] });
  return starting;
};
const bench: Bench = {
  dir,
  say,
  servers,
  profileDir: values.profile ? path.join(localDir, 'bench-profiles') : null,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  deliveries: Number(values.deliveries),
};

const chosen = choose(positionals);
const finished: Finished[] = [];
const failed: string[] = [];
const putAway = async (): Promise<void> => {
  await (await starting)?.stop();
  if (!values.keep) await rm(dir, { recursive: true, force: true });
};
const interrupt = (): void => void putAway().finally(() => process.exit(INTERRUPTED));
// Helpers and services end with this process.
const ending = endingSignal();
ending.addEventListener('abort', interrupt);

// Where it cannot be written, that is said now and not after the run.
if (values.report) await appendFile(values.report, '');
await mkdir(dir, { recursive: true, mode: 0o711 });
let facts: Facts = [];
try {
  facts = await machineFacts(await servers());
  for (const benchmark of chosen) {
    say(benchmark.title);
    try {
      const outcome = await benchmark.run(bench);
      finished.push({ benchmark, outcome });
      say(`${rowsAsTable(outcome.rows)}\n`);
    } catch (error) {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      failed.push(`${benchmark.name}: ${reason}`);
      say(`  failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
} finally {
  await putAway();
}

const report = { facts, finished, failed, rounds: bench.rounds, seconds: bench.seconds };
console.log(withReport('', report));
if (values.report) await writeFile(values.report, withReport(await readFile(values.report, 'utf8'), report));
const missed = finished.flatMap(({ outcome }) => outcome.rows).filter((row) => isMet(row) === false);
process.exitCode = missed.length + failed.length === 0 ? 0 : 1;
ending.removeEventListener('abort', interrupt);
if (process.connected) process.disconnect();
