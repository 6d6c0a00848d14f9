import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { digestFiles, files, readAll, readBySevenZip, toEntries } from './test-support/zips.ts';
import { zipParts } from './zip.ts';

const run = promisify(execFile);
const python = `
import hashlib, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps({name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}))`;

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zip-'));
  file = path.join(folder, 'archive.zip');
  for await (const part of zipParts({ head: [], files: toEntries(files) })) {
    const zip = await readAll(part);
    expect(await readBySevenZip(zip)).toEqual(digestFiles(files));
    await writeFile(file, zip);
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** A machine need not have the tool; where it does, it has to agree. */
const ifInstalled = async (tool: string, args: readonly string[]): Promise<string | null> => {
  try {
    return (await run(tool, args)).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

it('unzip finds no fault, if it is installed', async () => {
  const said = await ifInstalled('unzip', ['-t', file]);
  expect(said ?? 'No errors detected').toContain('No errors detected');
});

it('the zipfile of Python reads every file, if it is installed', async () => {
  const said = await ifInstalled('python3', ['-c', python, file]);
  expect(said === null ? digestFiles(files) : JSON.parse(said)).toEqual(digestFiles(files));
});
