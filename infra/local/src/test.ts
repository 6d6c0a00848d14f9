import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import { endingSignal } from './ending.ts';
import { runStep, type Step, type StepResult, summaryLine } from './run-step.ts';
import { staticChecks } from './static-steps.ts';

const jest = (args: readonly string[]): Step => ({
  title: 'tests',
  command: process.execPath,
  args: [path.join(workspaceRoot, 'node_modules/jest/bin/jest.js'), ...args],
  env: { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' },
  live: true,
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const report = (result: StepResult): StepResult => {
  say(summaryLine(result));
  if (!result.passed && result.output) say(result.output.replaceAll(/^/gm, '  '));
  return result;
};

process.chdir(workspaceRoot);
const signal = endingSignal();
const checks = report(await runStep({ ...staticChecks, signal }));
const tests = await runStep({ ...jest(process.argv.slice(2)), signal });

const results = [checks, tests];
say(['', ...results.map(summaryLine)].join('\n'));
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
if (process.connected) process.disconnect(); // the channel to the bootstrap would keep this process waiting
