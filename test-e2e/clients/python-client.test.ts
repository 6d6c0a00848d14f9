import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';

const folder = path.join(workspaceRoot, 'clients/python');
const python = (...args: string[]) => spawnSync('python3', args, { cwd: folder, encoding: 'utf8' });
const hasPython = python('--version').status === 0;
if (!hasPython)
  process.stderr.write('The tests of the Python client are skipped: there is no python3 here.\n');

describe('the Python client', () => {
  (hasPython ? it : it.skip)('passes its own tests', () => {
    const { status, stderr } = python('-B', '-m', 'unittest');
    expect([status, stderr]).toEqual([0, expect.stringMatching(/Ran \d{2,} tests[\s\S]*\nOK/)]);
  });
});
