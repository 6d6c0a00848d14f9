import path from 'node:path';
import { command, InvalidArgumentError } from '@tds/command-line';
import { workspaceRoot } from '@tds/servers';
import { endingSignal } from './ending.ts';
import { runStep, type Step, summaryLine } from './run-step.ts';

/** What `npm test` leaves to a release, and to whoever changes what it is about: the same promises by larger sizes and numbers. */
const programs: Readonly<Record<string, readonly string[]>> = {
  tests: ['infra/dev/local/src/test.ts', '--force'],
  chaos: ['test-e2e/chaos/src/main.ts', '--minutes', '20'],
  fuzz: ['test-e2e/fuzz/src/main.ts'],
  timing: ['test-e2e/fuzz/src/main.ts', '--timing'],
  model: ['test-e2e/models/src/main.ts'],
};

const readName = (name: string, earlier: readonly string[] = []): string[] => {
  if (name in programs) return [...earlier, name];
  throw new InvalidArgumentError(`There are ${Object.keys(programs).join(', ')}.`);
};

const [names] = command(
  'npm run prove --',
  'Repeats what the tests promise with larger sizes and numbers, and under faults: before a release, about two hours.',
)
  .argument('[names...]', `some of ${Object.keys(programs).join(', ')}; without one, all`, readName)
  .parse().processedArgs;
const asked = names.length > 0 ? names : Object.keys(programs);
process.chdir(workspaceRoot);
const signal = endingSignal();
const lines: string[] = [];
for (const name of asked) {
  const [program = '', ...words] = programs[name] ?? [];
  const args = [path.join(workspaceRoot, program), ...words];
  const step: Step = { title: name, command: process.execPath, args, live: true, signal };
  const result = signal.aborted ? undefined : await runStep({ ...step, env: { TDS_PROVE: '1' } });
  if (!result?.passed) process.exitCode = 1;
  if (result) lines.push(summaryLine(result));
}
process.stdout.write(`\n${lines.join('\n')}\n`);
if (process.connected) process.disconnect();
