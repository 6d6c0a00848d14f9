import { command } from '@tds/command-line';
import { workspaceRoot } from '@tds/servers';
import { endingSignal } from './ending.ts';
import { runStep, type Step, type StepResult, summaryLine } from './run-step.ts';
import { runTests } from './run-tests.ts';
import { staticChecks } from './static-steps.ts';
import { planTests, workspacePackages } from './test-plan.ts';

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
