import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

it('output that cannot be written ends with 1 and says why', () => {
  const full = openSync('/dev/full', 'w');
  const main = path.join(import.meta.dirname, 'main.ts');
  const stdio = ['ignore', full, 'pipe'] as const;
  const { status, stderr } = spawnSync(process.execPath, [main, '--help'], { stdio: [...stdio] });
  closeSync(full);
  expect([status, String(stderr)]).toEqual([
    1,
    expect.stringContaining('The output cannot be written: ENOSPC'),
  ]);
});
