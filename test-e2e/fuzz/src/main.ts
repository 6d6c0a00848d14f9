import { randomInt } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endingSignal } from '@tds/local';
import { localDir } from '@tds/servers';
import { command, count } from '@tds/servers/command';
import { sayBreach, sayFigures, withReport } from './report.ts';
import { runFuzz } from './run-fuzz.ts';
import { runTiming, timingRows, withTiming } from './timing/run-timing.ts';

const values = command(
  'npm run test:fuzz --',
  'Throws generated requests at every route of a system of its own and checks every answer, or measures their times.',
)
  .option('--requests <count>', 'how many', count, 100_000)
  .option('--seed <number>', 'repeats a run', count, randomInt(1, 1_000_000))
  .option('--only <number>', 'that request of the seed alone', count)
  .option('--timing', 'measures instead whether times tell secrets apart', false)
  .option('--samples <count>', 'of each side with --timing', count, 1_000)
  .option('--report <file>', 'a document whose section on the last run is written anew')
  .option('--keep', 'leaves databases and logs behind', false)
  .parse()
  .opts();

const MAX_SHOWN = 20;
const { seed } = values;
const dir = path.join(localDir, `fuzz-${seed}`);
await rm(dir, { recursive: true, force: true });
const ending = endingSignal();

/** Writes what `change` makes of the report, where one was asked for. */
const report = async (change: (document: string) => string): Promise<void> => {
  if (values.report) await writeFile(values.report, change(await readFile(values.report, 'utf8')));
};

const timing = async (): Promise<boolean> => {
  const results = await runTiming({ seed, dir, samples: values.samples });
  console.log(timingRows(results));
  await report((document) => withTiming(document, results));
  return results.every(({ isToldApart }) => !isToldApart);
};

const requests = async (): Promise<boolean> => {
  const figures = await runFuzz({
    seed,
    dir,
    requests: values.requests,
    signal: ending,
    only: values.only ?? null,
    say: (line) => console.error(line),
  });
  const { breaches } = figures.seen;
  console.log(sayFigures(figures));
  for (const breach of breaches.slice(0, MAX_SHOWN)) console.log(sayBreach(seed, breach));
  if (breaches.length > MAX_SHOWN) console.log(`... and ${breaches.length - MAX_SHOWN} more`);
  await report((document) => withReport(document, figures));
  return breaches.length === 0 && figures.findings.length === 0;
};

const held = await (values.timing ? timing() : requests());
console.log(held ? `Every promise held under seed ${seed}.` : `BROKEN under seed ${seed}; logs are in ${dir}`);
if (held && !values.keep) await rm(dir, { recursive: true, force: true });
process.exitCode = held ? 0 : 1;
