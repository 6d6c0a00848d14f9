import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolsDir, unpackPackages, workspaceRoot } from '@tds/servers';

const folder = path.join(workspaceRoot, 'packages/clients/python');
const python = (args: readonly string[], cwd = folder, env: NodeJS.ProcessEnv = process.env) =>
  spawnSync('python3', args, { cwd, env, encoding: 'utf8' });
const hasPython = python(['--version']).status === 0;
if (!hasPython) process.stderr.write('The tests of the Python client are skipped: there is no python3 here.\n');

describe('the Python client', () => {
  (hasPython ? it : it.skip)('passes its own tests', () => {
    const { status, stderr } = python(['-B', '-m', 'unittest']);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/Ran \d{2,} tests[\s\S]*\nOK/)]);
  });
});

/** The names that examples take from the program around them. */
const AROUND = `from typing import Dict
api_key: str = ""
base_url: str = ""
raw_body: bytes = b""
headers: Dict[str, str] = {}
secret: str = ""
`;
const examplesIn = (file: string): string =>
  [...readFileSync(path.join(workspaceRoot, file), 'utf8').matchAll(/^```py(?:thon)?\n(.*?)^```/gms)]
    .map(([, code]) => code)
    .join('\n');

const WRONG = `from transcript_delivery import AsyncTranscripts, Transcripts
client = Transcripts()
client.transcripts.get("manualEn001")["cues"]
client.jobs.get("job")["nothing"]
other = AsyncTranscripts()
other.jobs.get("job")["id"]
async def main() -> None:
    (await other.transcripts.get("manualEn001"))["cues"]
    (await other.jobs.get("job"))["nothing"]
    for job in other.jobs.list():
        pass
`;

describe('the types of the Python client', () => {
  const project = mkdtempSync(path.join(tmpdir(), 'tds-python-'));
  const checked = ['transcript_delivery.py', 'readme.py', 'guide.py'];
  beforeAll(() => {
    cpSync(path.join(folder, 'transcript_delivery.py'), path.join(project, 'transcript_delivery.py'));
    writeFileSync(path.join(project, 'readme.py'), AROUND + examplesIn('packages/clients/python/README.md'));
    writeFileSync(path.join(project, 'guide.py'), AROUND + examplesIn('packages/web/site/content/python.md'));
    writeFileSync(path.join(project, 'wrong.py'), WRONG);
  });
  afterAll(() => rmSync(project, { recursive: true }));

  it('are right for pyright, in the module and in all examples, and find mistakes', () => {
    const pyright = createRequire(import.meta.url).resolve('pyright/index.js');
    const check = (files: readonly string[]) =>
      spawnSync(process.execPath, [pyright, '--pythonversion', '3.9', ...files], {
        cwd: project,
        encoding: 'utf8',
      });
    const { status, stdout } = check(checked);
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 errors')]);
    expect(check(['wrong.py']).stdout).toContain('6 errors');
  });

  it('are right for mypy in its strict mode', async () => {
    const unpacked = path.join(toolsDir, 'mypy');
    const packages = ['python3-mypy', 'python3-mypy-extensions', 'python3-typing-extensions'];
    const why = existsSync(unpacked)
      ? ''
      : await unpackPackages(packages, unpacked).catch((error: Error) => error.message);
    const env = { ...process.env, PYTHONPATH: path.join(unpacked, 'usr/lib/python3/dist-packages') };
    if (python(['-m', 'mypy', '--version'], project, env).status !== 0)
      return void process.stderr.write(`mypy is skipped: Debian's does not run here. ${why}\n`);
    const mypy = (files: readonly string[]) =>
      python(['-m', 'mypy', '--strict', '--cache-dir', '/dev/null', ...files], project, env).stdout;
    expect(mypy(checked)).toContain('Success: no issues found in 3 source files');
    expect(mypy(['wrong.py'])).toContain('Found 6 errors');
  });
});
