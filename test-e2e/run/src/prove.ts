import { spawnSync } from 'node:child_process';
import { describeOldComparisons, workspaceRoot } from '@tds/servers';
import { command, InvalidArgumentError } from '@tds/servers/command';

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
const env = { ...process.env, TDS_PROVE: '1' };
const results = (names.length > 0 ? names : Object.keys(programs)).map((name) => {
  // A terminal's Ctrl-C reaches the program, which ends in order.
  const { status } = spawnSync(process.execPath, [...(programs[name] ?? [])], {
    ...{ cwd: workspaceRoot, env, stdio: 'inherit' },
  });
  return `${status === 0 ? '✓' : '✗'} ${name}`;
});
console.log(`\n${[...results, ...describeOldComparisons(new Date())].join('\n')}`);
process.exitCode = results.some((line) => line.startsWith('✗')) ? 1 : 0;
