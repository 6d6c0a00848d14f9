import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { runStep } from './run-step.ts';
import { countFailures } from './steady.ts';

const file = (body: string) => `import { expect, it } from '@jest/globals';\n${body}`;
it('says how often each title failed: what is wrong always, what needs undisturbed timers in half of the runs, what is right never', async () => {
  using dir = mkdtempDisposableSync(path.join(tmpdir(), 'tds-steady-test-'));
  const files = {
    'package.json': '{ "type": "module" }',
    'wrong.test.ts': file(`it('is wrong', () => expect(1).toBe(2));`),
    'timed.test.ts': file(`it('needs real timers', () => expect(setTimeout.name).toBe('setTimeout'));`),
    'right.test.ts': file(`it('waits', () => new Promise((resolve) => setTimeout(resolve, 1)));`),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir.path, name), text);
  const { signal } = new AbortController();
  const counts = await countFailures(['--selectProjects', 'unit'], {
    run: runStep,
    signal,
    runs: 4,
    cwd: dir.path,
  });
  const byTitle = [...counts].map(([name, count]) => [name.slice(name.lastIndexOf('/') + 1), count]);
  expect(Object.fromEntries(byTitle)).toEqual({
    'wrong.test.ts: is wrong': 4,
    'timed.test.ts: needs real timers': 2,
  });
});
