import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Argument, command, count } from '@tds/command-line';
import { endingSignal, type Servers, startServers } from '@tds/local';
import { localDir } from '@tds/servers';
import type { Bench } from './benchmark.ts';
import { archive } from './benchmarks/archive.ts';
import { billing } from './benchmarks/billing.ts';
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
import { manyJobs } from './benchmarks/many-jobs.ts';
import { monitors } from './benchmarks/monitors.ts';
import { outboxLag } from './benchmarks/outbox-lag.ts';
import { refusedRequest } from './benchmarks/refused-request.ts';
import { requestCost } from './benchmarks/request-cost.ts';
import { statusRead } from './benchmarks/status.ts';
import { tasks } from './benchmarks/tasks.ts';
import { usagePages } from './benchmarks/usage-pages.ts';
import { webhooks } from './benchmarks/webhooks.ts';
import { benchSurface } from './support/bench-contract.ts';
import { type Facts, machineFacts } from './support/machine.ts';
import { type Finished, isMet, rowsAsTable, withReport } from './support/report.ts';

const INTERRUPTED = 130;
const all = [
  cachedRead,
  listingPage,
  enumeration,
  refusedRequest,
  ledgerPairs,
  ledgerScale,
  manyJobs,
  outboxLag,
  tasks,
  coldOverhead,
  bulkJob,
  idleSystem,
  limiterAccuracy,
  usagePages,
  archive,
  jobStreams,
  billing,
  webhooks,
  monitors,
  statusRead,
  requestCost,
];

const measure = command(
  'npm run bench --',
  'Measures this system against bare peers in the same run, and exits with 1 if a goal is missed.',
)
  .addArgument(
    new Argument('[names...]', 'the benchmarks to run; all by default').choices(all.map(({ name }) => name)),
  )
  .option('--rounds <count>', 'measurements of each side', count, 5)
  .option('--seconds <count>', 'seconds of load on each side of a round', count, 5)
  .option('--deliveries <count>', 'deliveries in the full ledger of ledger-scale', count, 1_000_000)
  .option('--report <file>', 'a document whose section on the last run is replaced')
  .option('--profile', 'write CPU profiles of services into .local/bench-profiles', false)
  .option('--keep', 'keep databases and logs', false)
  .parse();
const values = measure.opts();
const [names] = measure.processedArgs;

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
  rounds: values.rounds,
  seconds: values.seconds,
  deliveries: values.deliveries,
};

const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
const finished: Finished[] = [];
const failed: string[] = [];
const cleanUp = async (): Promise<void> => {
  await (await starting)?.stop();
  if (!values.keep) await rm(dir, { recursive: true, force: true });
};
const interrupt = (): void => void cleanUp().finally(() => process.exit(INTERRUPTED));
// Helpers and services end with this process.
const ending = endingSignal();
ending.addEventListener('abort', interrupt);

// Fails now, not after the run, if the file cannot be written.
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
  await cleanUp();
}

const report = { facts, finished, failed, rounds: bench.rounds, seconds: bench.seconds };
console.log(withReport('', report));
if (values.report) await writeFile(values.report, withReport(await readFile(values.report, 'utf8'), report));
const missed = finished.flatMap(({ outcome }) => outcome.rows).filter((row) => isMet(row) === false);
process.exitCode = missed.length + failed.length === 0 ? 0 : 1;
ending.removeEventListener('abort', interrupt);
if (process.connected) process.disconnect();
