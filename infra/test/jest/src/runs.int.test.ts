import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';

const packageTests = path.join(import.meta.dirname, '../../../dev/local/package-tests.mjs');
const imports = `import { afterEach, expect, it, jest } from '@jest/globals';`;
const dirs: string[] = [];
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true });
});

/** Runs a package of these files: how it ended, and what it said. */
const run = async (files: Readonly<Record<string, string>>, workers = 1) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-jest-'));
  dirs.push(dir);
  writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }');
  for (const [name, body] of Object.entries(files)) writeFileSync(path.join(dir, name), `${imports}\n${body}`);
  const env = { ...process.env, TDS_TEST_WORKERS: String(workers), TDS_TEST_FAILURES: '' };
  const args = [packageTests, '--selectProjects', 'unit'];
  const child = spawn(process.execPath, args, { cwd: dir, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const code = new Promise((resolve) => child.once('exit', resolve));
  return { said: await text(child.stderr), code: await code };
};

const leave = `Promise.reject(new Error('not awaited'))`;
const waiting = `it('waits', () => new Promise((resolve) => setTimeout(resolve, 20)));`;

describe('a run', () => {
  it.each([
    ['a rejection in its last test', `it('rejects', () => void ${leave});`],
    [
      'an error in a later test',
      `it('a', () => void setTimeout(() => { throw new Error('not awaited'); }, 1));\n${waiting}`,
    ],
    ['a rejection before its tests', `void ${leave};\n${waiting}`],
    ['a rejection after its last test', `it('a', () => void setTimeout(() => ${leave}, 200));`],
  ])('fails by %s, that is not awaited', async (_, body) => {
    const { code, said } = await run({ 'one.test.ts': body });
    expect(said).toContain('not awaited');
    expect(code).toBe(1);
  });

  it('fails with the name of the file whose last hook fails', async () => {
    const hook = `import { afterAll } from '@jest/globals';\nit('passes', () => {});\nafterAll(() => ${leave});`;
    const { code, said } = await run({ 'broken.test.ts': hook, 'other.test.ts': `it('passes', () => {});` });
    expect(said).toMatch(/FAIL unit \.\/broken\.test\.ts/);
    expect(said).toMatch(/PASS unit \.\/other\.test\.ts/);
    expect(code).toBe(1);
  });

  it('fails with the name of the file that leaves a server, a timer or a process open', async () => {
    const left = `import { spawn } from 'node:child_process';
      import net from 'node:net';
      it('opens', () => {
        net.createServer().listen(0);
        setTimeout(() => {}, 2 ** 30);
        spawn('sleep', ['99']);
      });`;
    const { code, said } = await run({ 'left.test.ts': left, 'other.test.ts': `it('passes', () => {});` }, 2);
    expect(said).toMatch(/FAIL unit \.\/left\.test\.ts/);
    expect(said).toMatch(/PASS unit \.\/other\.test\.ts/);
    const [, kinds = ''] = /leaves open: (.*)\./.exec(said) ?? [];
    expect(kinds.split(', ').sort()).toEqual(['ProcessWrap', 'TCPServerWrap', 'Timeout']);
    expect(code).toBe(1);
  });

  it('fails if a test would end it, instead of stopping there', async () => {
    const { code, said } = await run({ 'one.test.ts': `it('ends', () => process.exit(0));` });
    expect(said).toContain('process.exit(0) was called in a test');
    expect(code).toBe(1);
  });

  it('fails by a rejection in a worker that has no file at that time', async () => {
    const seen = `new URL('rejected', import.meta.url)`;
    const rejecting = `import { writeFileSync } from 'node:fs';
      it('rejects', () => void setTimeout(() => { writeFileSync(${seen}, ''); ${leave}; }, 200));`;
    const beside = `import { existsSync } from 'node:fs';
      it('goes on', async () => {
        while (!existsSync(${seen})) await new Promise((resolve) => setTimeout(resolve, 50));
      });`;
    const { code, said } = await run({ 'rejecting.test.ts': rejecting, 'beside.test.ts': beside }, 2);
    expect(said).toContain('not awaited');
    expect(code).toBe(1);
  });

  it('names the place of an error by a path that can be opened', async () => {
    const { said } = await run({ 'one.test.ts': `it('fails', () => expect(1).toBe(2));` });
    expect(said).toMatch(/\(\S+\/one\.test\.ts:2:\d+\)/);
    expect(said).not.toContain('file:');
  });

  it('names the place of a test that takes too long', async () => {
    const { said } = await run({ 'one.test.ts': `it('hangs', () => new Promise(() => {}), 10);` });
    expect(said).toContain('Exceeded timeout of 10 ms');
    expect(said).toMatch(/at \S*one\.test\.ts:2:\d+/);
    expect(said).not.toContain('globals.ts');
  });

  it('passes if a rejection is awaited later', async () => {
    const body = `const rejected = ${leave};\nit('waits', () => expect(rejected).rejects.toThrow('not awaited'));`;
    expect(await run({ 'one.test.ts': body })).toMatchObject({ code: 0 });
  });
});

/** Both files say the same, so that it does not matter which is first. */
const twice = (body: string) => ({ 'one.test.ts': body, 'two.test.ts': body });

describe('the files of a package', () => {
  it('share what they import, and it uses the tests of the file that runs', async () => {
    const shared = `const [always, never] = [it, it.skip];
      globalThis.loaded = (globalThis.loaded ?? 0) + 1;
      export const loadedOnce = () => {
        always('knows how often', () => expect({ n: globalThis.loaded }).toEqual({ n: expect.any(Number) }));
        always('is loaded once', () => expect(globalThis.loaded).toBe(1));
        never('is skipped', () => expect(globalThis.loaded).toBe(2));
      };`;
    const body = `import { loadedOnce } from './shared.ts';\nloadedOnce();`;
    const { code, said } = await run({ 'shared.ts': shared, ...twice(body) });
    expect(said).toContain('2 skipped, 4 passed, 6 total');
    expect(code).toBe(0);
  });

  it('find real timers and functions, whatever the one before has faked', async () => {
    const body = `it('leaves them faked', () => {
        expect(jest.isMockFunction(performance.now)).toBe(false);
        expect(Object.hasOwn(setTimeout, 'clock')).toBe(false);
        jest.useFakeTimers();
        expect(Object.hasOwn(setTimeout, 'clock')).toBe(true);
        jest.spyOn(performance, 'now');
      });`;
    const { code, said } = await run(twice(body));
    expect(said).toContain('2 passed, 2 total');
    expect(code).toBe(0);
  });
});
