import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { evaluateFailures, type Failure, type Outcome } from '@tds/jest';
import { localDir, workspaceRoot } from '@tds/servers';
import { jestStep } from './jest-step.ts';
import type { Step, StepResult } from './run-step.ts';

/** What passed only alone, a line each with its time, of all runs of this clone. */
const flakyFile = path.join(localDir, 'flaky-tests');

/** Repeats, alone and once, the test files that failed in the run that has just ended. */
export const repeatFailed = (
  failures: readonly Failure[],
  run: (step: Step) => Promise<StepResult>,
): Promise<Outcome> =>
  evaluateFailures(failures, async (file) => {
    console.log(`\nOnce more, alone: ${file}`);
    const test = path.join(workspaceRoot, file);
    // What fails again is known already.
    const options = { cwd: path.dirname(test), env: { TDS_TEST_FAILURES: '' } };
    return (await run(jestStep(file, ['--runTestsByPath', test], options))).passed;
  });

/** Names what fails, and keeps and names what passes only alone. */
export const reportOutcome = ({ flaky, red }: Outcome): void => {
  console.log('');
  for (const title of red) console.log(`RED ${title}`);
  for (const title of flaky) {
    console.log(`FLAKY ${title}`);
    appendFileSync(flakyFile, `${new Date().toISOString()} ${title}\n`);
  }
  if (flaky.length > 0) console.log(`What passes only alone is to be mended: it is kept in ${flakyFile}.`);
};
