import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endingSignal, type Servers, startServers } from '@tds/local';
import { localDir } from '@tds/servers';
import { Argument, command, count } from '@tds/servers/command';
import type { Bench, Benchmark } from './benchmark.ts';
import { benchSurface } from './support/bench-service.ts';
import { type Facts, machineFacts } from './support/machine.ts';
import { type FinishedBenchmark, isMet, reportText, rowsAsTable } from './support/report.ts';

const INTERRUPTED = 130;
const MS = 1_000;
const folder = path.join(import.meta.dirname, 'benchmarks');
const all = (await readdir(folder)).map((file) => path.parse(file).name).toSorted();

const measure = command(
  'npm run bench --',
  'Measures this system against bare peers in the same run, and exits with 1 if a goal is missed.',
)
  .addArgument(new Argument('[names...]', 'the benchmarks to run; all by default').choices(all))
  .option('--rounds <count>', 'measurements of each side; 3 of named benchmarks, 1 of all', count)
  .option('--seconds <count>', 'seconds of load on each side; 3 of named benchmarks, 2 of all', count)
  .option('--deliveries <count>', 'deliveries in the full year of aged', count, 100_000)
  .option('--report <file>', 'where the run is written to')
  .option('--profile', 'write CPU profiles of services into .local/bench-profiles', false)
  .option('--keep', 'keep databases and logs', false)
  .parse();
const values = measure.opts();
const [names] = measure.processedArgs;

const dir = path.join(localDir, `bench-${process.pid}`);
const log = (line: string): void => console.error(line);
const chosen = names.length === 0 ? all : all.filter((name) => names.includes(name));
const rounds = values.rounds ?? (names.length === 0 ? 1 : 3);
const seconds = values.seconds ?? (names.length === 0 ? 2 : 3);
let servers: Servers | undefined;
const finished: FinishedBenchmark[] = [];
const failed: string[] = [];
const cleanUp = async (): Promise<void> => {
  await servers?.stop();
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
  const postgresSettings = { max_connections: '300' };
  servers = await startServers({ dir, throwaway: false, moreSurfaces: [benchSurface], postgresSettings });
  facts = await machineFacts(servers);
  const bench: Bench = {
    ...{ dir, log, servers, rounds, seconds, deliveries: values.deliveries },
    profileDir: values.profile ? path.join(localDir, 'bench-profiles') : null,
  };
  const measureOne = async (name: string): Promise<void> => {
    const { benchmark } = (await import(`./benchmarks/${name}.ts`)) as { benchmark: Benchmark };
    log(benchmark.title);
    const startedAt = performance.now();
    try {
      const outcome = await benchmark.run(bench);
      finished.push({ benchmark, outcome });
      const duration = ((performance.now() - startedAt) / MS).toFixed(0);
      log(`${rowsAsTable(outcome.rows)}\n\n${name} took ${duration} s\n`);
    } catch (error) {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      failed.push(`${name}: ${reason}`);
      log(`  failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
  };
  // The first starts every service, and each reads the events of the benchmarks before it.
  for (const name of new Set(['request-cost', ...all])) if (chosen.includes(name)) await measureOne(name);
} finally {
  await cleanUp();
}

const text = reportText({ facts, finished, failed, rounds, seconds });
console.log(text);
if (values.report) await writeFile(values.report, text);
const missed = finished.flatMap(({ outcome }) => outcome.rows).filter((row) => isMet(row) === false);
process.exitCode = missed.length + failed.length === 0 ? 0 : 1;
ending.removeEventListener('abort', interrupt);
