import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { failuresFile, noteFailure, readFailures } from '@tds/jest';
import { localDir, workspaceRoot } from '@tds/servers';
import { command } from '@tds/servers/command';
import { describeCost, measureSlowness, startCost, startSharedServers, stopSharedServers } from '@tds/test-kit';
import { endingSignal } from './ending.ts';
import { jestStep } from './jest-step.ts';
import { repeatFailed, reportOutcome } from './repeat-failed.ts';
import { runStep, type Step, type StepResult, summaryLine } from './run-step.ts';
import { proveSteady } from './steady.ts';
import { planTests, type TestPlan, workspacePackages } from './test-plan.ts';
import { buildChecks, staticChecks, turboStep } from './turbo-step.ts';

/** All packages and all runs share these servers. Without them Jest starts its own. */
const withSharedServers = async <T>(work: () => Promise<T>): Promise<T> => {
  await startSharedServers();
  try {
    return await work();
  } finally {
    await stopSharedServers();
  }
};

/** One test file of a package at a time, or two: turbo runs several packages, most of whose tests wait. */
const ONE_FILE_AT_A_TIME = { TDS_TEST_WORKERS: '1' };

/** Runs the requested tests. */
const runTests = async (plan: TestPlan): Promise<StepResult> => {
  if (plan.kind === 'jest') return run(jestStep('tests', plan.args));
  const filters = plan.folders.map((folder) => `--filter=./${folder}`);
  const step = turboStep('tests', ['run', 'test', 'test:own', ...filters, ...(plan.force ? ['--force'] : [])]);
  const args = [...step.args, '--output-logs=errors-only', '--continue=always'];
  const runAll = (env: NodeJS.ProcessEnv) => run({ ...step, args, env: { ...step.env, ...env }, live: true });
  return plan.folders.length === 1 ? runAll({}) : withSharedServers(() => runAll(ONE_FILE_AT_A_TIME));
};

/** The checks beside the tests. Single files are tested alone. */
const planChecks = (plan: TestPlan): readonly Step[] => {
  if (plan.kind === 'jest') return [];
  return plan.kind === 'all' ? [staticChecks] : buildChecks(plan.folders);
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const report = (result: StepResult): StepResult => {
  if (!result.passed && result.output) print(result.output.replaceAll(/^/gm, '  '));
  return result;
};

/** For the processes of the run: where they write down what they count, and which files fail. A run inside of a run has places of its own. */
const prepareRun = (): void => {
  process.env.TDS_TEST_TALLY ??= path.join(localDir, 'test-tally');
  process.env.TDS_TEST_FAILURES ??= failuresFile;
  for (const file of [process.env.TDS_TEST_TALLY, process.env.TDS_TEST_FAILURES]) writeFileSync(file, '');
  process.env.TDS_TEST_SLOWNESS = measureSlowness().toFixed(1);
};

/** Returns whether all passed, and a whole run cost no more than it may. */
const runOnce = async (plan: TestPlan): Promise<boolean> => {
  const startedAt = performance.now();
  const costUntilNow = startCost();
  const checks = planChecks(plan).map(async (step) => report(await run(step)));
  const [tests, ...checked] = await Promise.all([runTests(plan), ...checks]);
  print(['', ...[...checked, tests].map(summaryLine)].join('\n'));
  for (const { title, passed } of checked) if (!passed) noteFailure({ file: null, titles: [title] });
  if (plan.kind !== 'all') return [tests, ...checked].every(({ passed }) => passed);
  const { line, beyond } = describeCost(costUntilNow(), (performance.now() - startedAt) / 1_000);
  print(`  cost: ${line}`);
  if (beyond.length > 0)
    noteFailure({ file: null, titles: [`beyond the limit of the loop: ${beyond.join(', ')}`] });
  return [tests, ...checked].every(({ passed }) => passed) && (provesAll || beyond.length === 0);
};

/** Returns whether what failed passes alone. Who names single files wants to see them fail. */
const passesRepeated = async ({ kind }: TestPlan): Promise<boolean> => {
  if (kind === 'jest' || signal.aborted) return false;
  const outcome = await repeatFailed(readFailures(), run);
  if (!signal.aborted) reportOutcome(outcome);
  return outcome.red.length === 0;
};

const program = command(
  'npm test --',
  'Runs the tests of what has changed since they passed, and the checks beside them.',
)
  .argument('[what...]', 'folders of packages, such as services/gateway; or anything that Jest understands')
  .option('--force', 'runs also what has passed and not changed')
  .option(
    '--steady',
    'runs files twenty times, half of them on a busy machine, and says how often each test failed',
  )
  .allowUnknownOption()
  .parse();
process.chdir(workspaceRoot);
const signal = endingSignal();
const run = (step: Step): Promise<StepResult> => runStep({ ...step, signal });
/** `npm run prove` repeats with larger sizes and numbers, which may cost more. */
const provesAll = Boolean(process.env.TDS_PROVE);
const args = process.argv.slice(2).filter((arg) => arg !== '--steady');
const { steady } = program.opts();
if (steady && args.length === 0) program.error('--steady wants files: npm test -- --steady FILES');
prepareRun();
const passes = async (): Promise<boolean> => {
  if (steady) return withSharedServers(() => proveSteady(args, { run, signal }));
  const plan = planTests(args, workspacePackages());
  return (await runOnce(plan)) || passesRepeated(plan);
};
process.exitCode = (await passes()) ? 0 : 1;
