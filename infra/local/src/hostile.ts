import { randomInt } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { localDir } from '@tds/servers';
import { sayBreach, sayFigures, withReport } from './hostile/report.ts';
import { runHostile } from './hostile/run-hostile.ts';

/** Throws generated requests at every route of a system of its own, and checks every answer. */

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    only: { type: 'string' },
    report: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

const MOST_SHOWN = 20;
const seed = Number(values.seed);
const dir = path.join(localDir, `hostile-${seed}`);
await rm(dir, { recursive: true, force: true });
const ending = new AbortController();
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(event, () => ending.abort());

const figures = await runHostile({
  ...{ seed, dir, requests: Number(values.requests), signal: ending.signal },
  only: values.only === undefined ? null : Number(values.only),
  say: (line) => console.error(line),
});
const { breaches } = figures.seen;
console.log(sayFigures(figures));
for (const breach of breaches.slice(0, MOST_SHOWN)) console.log(sayBreach(seed, breach));
if (breaches.length > MOST_SHOWN) console.log(`... and ${breaches.length - MOST_SHOWN} more`);
if (values.report) {
  await writeFile(values.report, withReport(await readFile(values.report, 'utf8'), figures));
}
const held = breaches.length === 0 && figures.findings.length === 0;
console.log(
  held ? `Every promise held under seed ${seed}.` : `BROKEN under seed ${seed}; logs are in ${dir}`,
);
if (held && !values.keep) await rm(dir, { recursive: true, force: true });
process.exitCode = held ? 0 : 1;
if (process.connected) process.disconnect();
