import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { command } from '@tds/command-line';
import { workspaceRoot } from '@tds/servers';
import { startSharedServers, stopSharedServers } from '@tds/test-kit';
import { endingSignal } from './ending.ts';
import { runStep, type Step, type StepResult, summaryLine } from './run-step.ts';
import { planTests, type TestPlan, workspacePackages } from './test-plan.ts';
import { staticChecks, turboStep } from './turbo-step.ts';

type Run = (step: Step) => Promise<StepResult>;

const jestStep = (args: readonly string[]): Step => ({
  title: 'tests',
  command: process.execPath,
  args: [path.join(workspaceRoot, 'infra/local/package-tests.mjs'), ...args],
  live: true,
});

const MAX_PLAN_BYTES = 64 * 1_024 * 1_024;

type Planned = { readonly command: string; readonly cache: { readonly status: string } };

/** Whether any test has to run: cached results need no servers. */
const anyToRun = async ({ command, args, env }: Step): Promise<boolean> => {
  const options = { env: { ...process.env, ...env }, maxBuffer: MAX_PLAN_BYTES };
  const { stdout } = await promisify(execFile)(command, [...args, '--dry=json'], options);
  const { tasks } = JSON.parse(stdout) as { tasks: readonly Planned[] };
  return tasks.some((task) => task.command !== '<NONEXISTENT>' && task.cache.status === 'MISS');
};

/** All packages share these servers; a package that is tested alone starts its own. */
const withSharedServers = async <T>(areNeeded: boolean, work: () => Promise<T>): Promise<T> => {
  if (!areNeeded) return work();
  await startSharedServers();
  try {
    return await work();
  } finally {
    await stopSharedServers();
  }
};

/** One test file of each package at a time: turbo runs several packages, most of whose tests wait. */
const ONE_FILE_AT_A_TIME = { TDS_TEST_WORKERS: '1' };

/** Runs the requested tests. */
const runTests = async (plan: TestPlan, run: Run): Promise<StepResult> => {
  if (plan.kind === 'jest') return run(jestStep(plan.args));
  const filters = plan.folders.map((folder) => `--filter=./${folder}`);
  const step = turboStep('tests', ['run', 'test', ...filters, ...(plan.force ? ['--force'] : [])]);
  const args = [...step.args, '--output-logs=errors-only', '--continue=always'];
  return withSharedServers(plan.force || (await anyToRun(step)), () =>
    run({ ...step, args, env: { ...step.env, ...ONE_FILE_AT_A_TIME }, live: true }),
  );
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const report = (result: StepResult): StepResult => {
  say(summaryLine(result));
  if (!result.passed && result.output) say(result.output.replaceAll(/^/gm, '  '));
  return result;
};

command('npm test --', 'Runs the checks, and then the tests of what has changed since they passed.')
  .argument('[what...]', 'folders of packages, such as services/gateway; or anything that Jest understands')
  .option('--force', 'runs also what has passed and not changed')
  .allowUnknownOption()
  .parse();
process.chdir(workspaceRoot);
const signal = endingSignal();
const run = (step: Step): Promise<StepResult> => runStep({ ...step, signal });
const checks = report(await run(staticChecks));
const tests = await runTests(planTests(process.argv.slice(2), workspacePackages()), run);

const results = [checks, tests];
say(['', ...results.map(summaryLine)].join('\n'));
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
if (process.connected) process.disconnect(); // the channel to the bootstrap would keep this process waiting
