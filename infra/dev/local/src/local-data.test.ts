import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { emptyData } from './local-data.ts';

let folder: string;
const at = (name: string) => path.join(folder, name);
const write = (name: string, text = name): void => {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
};
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tds-data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a run writes that was started by the parent of this test, and holds on. */
const runningServer = { pid: process.pid, parentPid: process.ppid };

describe('npm start -- --fresh', () => {
  it('loses the data, and nothing else in the folder', async () => {
    for (const name of ['postgres/data/PG_VERSION', 'secrets.json', 'endpoints.json', 'notes.txt']) write(name);
    await emptyData(folder);
    const left = ['postgres', 'secrets.json', 'endpoints.json', 'notes.txt'].filter((name) =>
      existsSync(at(name)),
    );
    expect(left).toEqual(['notes.txt']);
  });

  it('loses nothing while a run uses them', async () => {
    write('postgres/server.json', JSON.stringify(runningServer));
    const cwd = process.cwd();
    process.chdir(at('postgres'));
    await expect(emptyData(folder)).rejects.toThrow('already runs');
    process.chdir(cwd);
    expect(existsSync(at('postgres/server.json'))).toBe(true);
  });
});
