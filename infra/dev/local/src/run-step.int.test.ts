import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { runStep } from './run-step.ts';

const shell = (script: string) => ({ title: 'a step', command: 'sh', args: ['-c', script] });

it('says what a step has said, and whether it has passed', async () => {
  expect(await runStep(shell('echo well'))).toMatchObject({ passed: true, output: 'well' });
  expect(await runStep(shell('echo badly >&2; exit 3'))).toMatchObject({ passed: false, output: 'badly' });
});

it('ends a step with all processes that it has started', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-step-'));
  const ending = new AbortController();
  const step = runStep({ ...shell(`sleep 600 & touch ${dir}/begun; wait`), signal: ending.signal });
  await eventually(() => expect(existsSync(path.join(dir, 'begun'))).toBe(true));
  ending.abort();
  expect((await step).passed).toBe(false);
  rmSync(dir, { recursive: true });
});

it('does not begin what is already to end', async () => {
  expect((await runStep({ ...shell('sleep 600'), signal: AbortSignal.abort() })).passed).toBe(false);
});
