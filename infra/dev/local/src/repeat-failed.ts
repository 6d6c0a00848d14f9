import { readFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '@tds/command-line';
import { evaluateFailures, readFailures } from '@tds/jest';
import { workspaceRoot } from '@tds/servers';
import { endingSignal } from './ending.ts';
import { runStep } from './run-step.ts';

command(
  'repeat-failed',
  'Repeats the test files that failed in the last run, each alone, and says which pass only then.',
).parse();
process.chdir(workspaceRoot);
const signal = endingSignal();
/** Those of earlier runs that are not mended yet. */
const known = readFileSync('.ci/flaky', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const passesAlone = async (file: string): Promise<boolean> => {
  const args = [path.join(workspaceRoot, 'infra/dev/local/package-tests.mjs'), file];
  return (await runStep({ title: file, command: process.execPath, args, live: true, signal })).passed;
};

const { flaky, red } = await evaluateFailures(readFailures(), known, passesAlone);
for (const title of flaky) console.log(`FLAKY ${title}`);
for (const title of red) console.log(`RED ${title}`);
if (red.length === 0) console.log('What failed passes alone: mend it, and write it into .ci/flaky until then.');
process.exitCode = red.length === 0 ? 0 : 1;
if (process.connected) process.disconnect();
