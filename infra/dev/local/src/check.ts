import { workspaceRoot } from '@tds/servers';
import { command } from '@tds/servers/command';
import { endingSignal } from './ending.ts';
import { runStep, summaryLine } from './run-step.ts';
import { staticChecks } from './turbo-step.ts';

command(
  'npm run check --',
  'Checks types, lint, boundaries, generated files and sizes, without running a test.',
).parse();
process.chdir(workspaceRoot);
const result = await runStep({ ...staticChecks, live: true, signal: endingSignal() });
process.stdout.write(`${summaryLine(result)}\n`);
process.exitCode = result.passed ? 0 : 1;
