import { workspaceRoot } from '@tds/servers';
import { runStep, summaryLine } from './run-step.ts';
import { staticSteps } from './static-steps.ts';

process.chdir(workspaceRoot);
const results = await Promise.all(staticSteps.map(runStep));
for (const result of results) {
  process.stdout.write(`${summaryLine(result)}\n`);
  if (!result.passed) process.stdout.write(`${result.output}\n`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
if (process.connected) process.disconnect(); // the channel to the bootstrap would keep this process waiting
