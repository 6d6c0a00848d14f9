import { workspaceRoot } from '@tds/servers';
import { runStep, summaryLine } from './run-step.ts';
import { staticChecks } from './static-steps.ts';

process.chdir(workspaceRoot);
const result = await runStep(staticChecks);
process.stdout.write(`${summaryLine(result)}\n`);
process.exitCode = result.passed ? 0 : 1;
if (process.connected) process.disconnect(); // the channel to the bootstrap would keep this process waiting
