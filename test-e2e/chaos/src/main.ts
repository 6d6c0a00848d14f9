import { randomInt } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatFinding } from '@tds/audit';
import { endingSignal } from '@tds/local';
import { localDir } from '@tds/servers';
import { command, count, InvalidArgumentError } from '@tds/servers/command';
import { unmountBelow } from '#support';
import { sayFigures, withReport } from './report.ts';
import { runChaos } from './run-chaos.ts';
import type { SystemKind } from './systems.ts';

const readMoment = (text: string): number => {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError(`"${text}" is no time as 2026-12-31T23:58:00Z.`);
  return ms;
};

const values = command(
  'npm run test:chaos --',
  'Hurts a system of its own as a seed says, while customers use it, and checks every promise afterwards.',
)
  .option('--kills <count>', 'how often something is killed, at least', count, 100)
  .option('--minutes <count>', 'how long it goes on; by default as long as the kills take', count)
  .option('--seed <number>', 'repeats the faults of a run', count, randomInt(1, 1_000_000))
  .option('--rate <count>', 'requests a second', count, 25)
  .option('--only <name>', 'one kind of fault, again and again')
  .option('--compose', 'containers, two of each service, of images that `docker-compose build` has made', false)
  .option('--clusters', 'as --compose, with a Postgres for each service', false)
  .option('--replicas', 'two processes of each service, the gateways behind a balancer', false)
  .option('--from <folder>', 'a clone of an older release, set up: the system begins as that')
  .option(
    '--at <time>',
    "begins shortly before a month's end that the run is to cross: needs Linux",
    readMoment,
  )
  .option('--quick', 'every kind of fault once, in short', false)
  .option('--report <file>', 'a document whose section on the last run is written anew')
  .option('--keep', 'leaves databases and logs behind', false)
  .parse()
  .opts();

/** Faults need their time: as many minutes as a run of that many kills takes. */
const MIN_MINUTES = 10;
const KILLS_A_MINUTE = 10;
const { kills, seed, minutes = Math.max(MIN_MINUTES, kills / KILLS_A_MINUTE) } = values;

const clockOffsetMs = values.at === undefined ? undefined : values.at - Date.now();
if (clockOffsetMs !== undefined) {
  if (values.compose) throw new Error('the clock of containers cannot be moved: leave --compose or --at out');
  process.env.CLOCK_OFFSET_MS = String(clockOffsetMs);
  await import('./faults/shifted-clock.ts');
}

// Where it cannot be written, that is said now and not after the run.
if (values.report) await appendFile(values.report, '');
const dir = path.join(localDir, `chaos-${seed}`);
await unmountBelow(dir);
await rm(dir, { recursive: true, force: true });
const ending = endingSignal();

type Kinds = Readonly<Record<'clusters' | 'compose' | 'replicas', boolean>>;
const kindOf = ({ clusters, compose, replicas }: Kinds): SystemKind => {
  if (clusters) return 'clusters';
  if (compose) return 'containers';
  return replicas ? 'replicas' : 'processes';
};

const figures = await runChaos({
  system: kindOf(values),
  seed,
  dir,
  quick: values.quick,
  only: values.only,
  throwaway: false,
  from: values.from,
  clockOffsetMs,
  signal: ending,
  kills,
  minutes,
  requestsPerSecond: values.rate,
  say: (line) => console.error(line),
});
console.log(sayFigures(figures));
for (const finding of figures.findings) console.log(formatFinding(finding));
if (values.report) {
  await writeFile(values.report, withReport(await readFile(values.report, 'utf8'), figures));
}
const held = figures.findings.length === 0;
console.log(
  held
    ? `Every promise held under seed ${seed}.`
    : `BROKEN under seed ${seed}: repeat with --seed ${seed} --kills ${kills} --minutes ${minutes}; history and logs are in ${dir}`,
);
if (held && !values.keep) await rm(dir, { recursive: true, force: true });
process.exitCode = held ? 0 : 1;
