import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toolsDir, workspaceRoot } from '@tds/servers';

const clone = mkdtempSync(path.join(tmpdir(), 'tds-installs-'));
const inClone = (...parts: string[]): string => path.join(clone, ...parts);
const WITHIN_MS = 1_800_000;

/** Loads what a start loads. */
const LOADS_ALL = `import { loadServices } from '@tds/provisioning';
process.argv.push('--help');
console.log((await loadServices()).length, 'services');
await import('./start.ts');
`;

/** The tree as it is here, and the packages that were downloaded for it. */
beforeAll(() => {
  const here = { cwd: workspaceRoot, maxBuffer: 1_024 ** 3 };
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], here);
  const tree = execFileSync('tar', ['c', '--ignore-failed-read', '--null', '-T', '-'], {
    ...here,
    input: files,
  });
  execFileSync('tar', ['x'], { cwd: clone, input: tree });
  writeFileSync(inClone('infra/dev/local/src/create-key.ts'), LOADS_ALL);
  mkdirSync(inClone('.local/tools'), { recursive: true });
  symlinkSync(path.join(toolsDir, 'pnpm-store'), inClone('.local/tools/pnpm-store'));
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const run = (...words: string[]): string =>
  execFileSync(process.execPath, ['infra/dev/local/bootstrap.mjs', ...words], {
    cwd: clone,
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const packagesOfTests = (): string[] =>
  readdirSync(inClone('node_modules/.pnpm'))
    .map((folder) => folder.replace(/(?<=.)@.*/, ''))
    .filter((name) =>
      /^(?:jest|fast-check|turbo|dependency-cruiser|@biomejs\+biome|@langchain\+core|playwright-core)$/.test(
        name,
      ),
    );

it(
  'a start installs what it loads and nothing of tests; the first command that tests adds the rest and moves nothing',
  () => {
    expect(run('create-key')).toMatch(/^11 services\nUsage: npm start/);
    expect(packagesOfTests()).toEqual([]);
    const zod = inClone('packages/contracts/node_modules/zod');
    const place = realpathSync(zod);
    expect(run('check', '--help')).toContain('Usage: npm run check');
    expect(packagesOfTests()).toHaveLength(7);
    // Where a system that runs finds it; the file itself may be linked anew.
    expect(realpathSync(zod)).toBe(place);
  },
  WITHIN_MS,
);
