import { randomInt } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sayFinding } from '@tds/audit';
import { unmountBelow } from '@tds/e2e-support';
import { endingSignal } from '@tds/local';
import { localDir } from '@tds/servers';
import { sayFigures, withReport } from './report.ts';
import { runChaos } from './run-chaos.ts';

/** Hurts a system of its own as a seed says, while customers use it, and checks every promise afterwards. */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    minutes: { type: 'string' },
    rate: { type: 'string', default: '25' },
    report: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

/** Faults need their time: as many minutes as a run of that many kills takes. */
const FEWEST_MINUTES = 10;
const KILLS_A_MINUTE = 10;
const kills = Number(values.kills);
const minutes = values.minutes ? Number(values.minutes) : Math.max(FEWEST_MINUTES, kills / KILLS_A_MINUTE);

// Where it cannot be written, that is said now and not after the run.
if (values.report) await appendFile(values.report, '');
const seed = Number(values.seed);
const dir = path.join(localDir, `chaos-${seed}`);
await unmountBelow(dir);
await rm(dir, { recursive: true, force: true });
const ending = endingSignal();

const figures = await runChaos({
  seed,
  dir,
  quick: values.quick,
  only: values.only,
  throwaway: false,
  signal: ending,
  kills,
  minutes,
  requestsPerSecond: Number(values.rate),
  say: (line) => console.error(line),
});
console.log(sayFigures(figures));
for (const finding of figures.findings) console.log(sayFinding(finding));
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
if (process.connected) process.disconnect();
