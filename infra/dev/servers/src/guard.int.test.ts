import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { holdsWithin, isAlive } from './processes.ts';
import { temporaryDir } from './test-support/temporary-dir.ts';

describe('servers whose parent is killed', () => {
  let folder: ReturnType<typeof temporaryDir>;
  beforeEach(() => {
    folder = temporaryDir();
  });
  afterEach(() => folder.remove());

  it('end with it, and what was to be thrown away is gone', async () => {
    const script = path.join(import.meta.dirname, 'test-support/start-all.ts');
    const parent = spawn(process.execPath, [script, folder.dir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(parent.stdout, 'data');
    const pids = JSON.parse(String(line)) as number[];
    expect(pids.map(isAlive)).toEqual([true, true, true]);

    parent.kill('SIGKILL');
    expect(await holdsWithin(30_000, () => !pids.some(isAlive))).toBe(true);
    const left = () => ['postgres', 'nats', 'redis'].filter((name) => existsSync(path.join(folder.dir, name)));
    expect(await holdsWithin(30_000, () => left().length === 0)).toBe(true);
  });
});
