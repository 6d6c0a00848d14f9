import { existsSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { readFailures } from '@tds/jest';
import { workspaceRoot } from '@tds/servers';
import { jestStep } from './jest-step.ts';
import { repeatFailed } from './repeat-failed.ts';
import { runStep } from './run-step.ts';

/** A test file that knows whether it has run before. */
const file = (body: string) => `import { existsSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
const mark = new URL(\`\${import.meta.url}.ran\`);
const isFirst = !existsSync(mark);
writeFileSync(mark, '');
${body}`;

it('what fails in a run is repeated alone: its title is red, or flaky if it passes then; nothing else runs again', async () => {
  using dir = mkdtempDisposableSync(path.join(tmpdir(), 'tds-repeat-'));
  const inDir = (name: string) => path.join(dir.path, name);
  const files = {
    'package.json': '{ "type": "module" }',
    'busy.test.ts': file(`it('needs a quiet machine', () => expect(isFirst).toBe(false));`),
    'broken.test.ts': file(`it('is broken', () => expect(1).toBe(2));\nit('is not', () => {});`),
    'right.test.ts': file(
      `it('is right', () => {});\nif (!isFirst) writeFileSync(new URL('again', import.meta.url), '');`,
    ),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(inDir(name), text);
  const failures = inDir('failures');
  const options = { cwd: dir.path, env: { TDS_TEST_FAILURES: failures } };
  const whole = await runStep({ ...jestStep('whole', ['--selectProjects', 'unit'], options), live: false });
  expect(whole.passed).toBe(false);
  const outcome = await repeatFailed(readFailures(failures), (step) => runStep({ ...step, live: false }));
  const titleOf = (title: string) => `${path.relative(workspaceRoot, dir.path)}/${title}`;
  expect(outcome).toEqual({
    flaky: [titleOf('busy.test.ts: needs a quiet machine')],
    red: [titleOf('broken.test.ts: is broken')],
  });
  expect(existsSync(inDir('again'))).toBe(false);
});
