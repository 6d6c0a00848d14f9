import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { evaluateFailures, readFailures } from './failed-files.ts';

// Repeats the test files that failed in the last run, each alone, and says which pass only then: for .ci/run.
const root = path.resolve(import.meta.dirname, '../../../..');
const passesAlone = async (file: string): Promise<boolean> => {
  const script = path.join(root, 'infra/dev/local/package-tests.mjs');
  return spawnSync(process.execPath, [script, file], { cwd: root, stdio: 'inherit' }).status === 0;
};
/** Those of earlier runs that are not mended yet. */
const known = readFileSync(path.join(root, '.ci/flaky'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const { flaky, red } = await evaluateFailures(readFailures(), known, passesAlone);
for (const title of flaky) console.log(`FLAKY ${title}`);
for (const title of red) console.log(`RED ${title}`);
if (red.length === 0) console.log('What failed passes alone: mend it, and write it into .ci/flaky until then.');
process.exitCode = red.length === 0 ? 0 : 1;
