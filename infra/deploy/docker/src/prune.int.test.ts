import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';

it('the image of the services has the tools that are run inside of it, and no server', () => {
  const dockerfile = readFileSync(path.join(workspaceRoot, 'infra/deploy/docker/Dockerfile'), 'utf8');
  const [, words = ''] = /prune\.ts \/services (.*) \\$/m.exec(dockerfile) ?? [];
  const target = mkdtempSync(path.join(tmpdir(), 'tds-prune-'));
  try {
    const program = path.join(import.meta.dirname, 'prune.ts');
    const wanted = words.split(' ').map((word) => word.replaceAll("'", ''));
    const kept = execFileSync(process.execPath, [program, target, ...wanted], { encoding: 'utf8' }).split('\n');
    expect(kept).toEqual(expect.arrayContaining(['infra/measure/audit', 'infra/measure/platform-probe']));
    expect(kept.filter((folder) => folder.startsWith('infra/dev/'))).toEqual(['infra/dev/command-line']);
  } finally {
    rmSync(target, { recursive: true });
  }
});
