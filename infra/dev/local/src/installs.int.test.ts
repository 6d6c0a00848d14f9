import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toolsDir, workspaceRoot } from '@tds/servers';
import { eventually } from '@tds/test-kit';

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

const bootstrap = 'infra/dev/local/bootstrap.mjs';
const options = { cwd: clone, env: { ...process.env, NODE_OPTIONS: '' } };
const run = (...words: string[]): string =>
  execFileSync(process.execPath, [bootstrap, ...words], {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Stops a command with Ctrl-C while it is in the middle of this step of its install; returns what it said. */
const stopIn = async (title: string, isHalf: () => boolean, ...words: string[]): Promise<string> => {
  const child = spawn(process.execPath, [bootstrap, ...words], options);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'close');
  const isThere = () => said.includes(`… ${title}\n`) && isHalf();
  await eventually(() => expect(child.exitCode !== null || isThere()).toBe(true), { withinMs: WITHIN_MS });
  child.kill('SIGINT');
  await ended;
  return said;
};

const installed = (): string[] =>
  existsSync(inClone('node_modules/.pnpm')) ? readdirSync(inClone('node_modules/.pnpm')) : [];

const packagesOfTests = (): string[] =>
  installed()
    .map((folder) => folder.replace(/(?<=.)@.*/, ''))
    .filter((name) =>
      /^(?:jest|fast-check|turbo|dependency-cruiser|@biomejs\+biome|@langchain\+core|playwright-core)$/.test(
        name,
      ),
    );

/** Loads what it needs, whatever was stopped before. */
const expectToStart = (): void => expect(run('create-key')).toMatch(/^11 services\nUsage: npm start/);

const { packageManager } = JSON.parse(readFileSync(path.join(workspaceRoot, 'package.json'), 'utf8'));
const pnpmStep = `pnpm ${/[\d.]+/.exec(packageManager)}`;

/** The steps of a start's install, and what is there when one of them has begun to write. */
const STEPS: readonly (readonly [string, () => boolean])[] = [
  [pnpmStep, () => existsSync(inClone('.local/tools/pnpm/package-lock.json'))],
  ['dependencies', () => installed().length > 100],
  ['database clients', () => existsSync(inClone('services/credits-ledger/src/store/prisma'))],
  ['dashboard, and packages to download', () => existsSync(inClone('.local/tools/pages'))],
];

it(
  'a start installs what it loads and nothing of tests, also when it was stopped in each of its steps',
  async () => {
    for (const [title, isHalf] of STEPS)
      expect(await stopIn(title, isHalf, 'create-key')).toMatch(/Stopped\n$/);
    expectToStart();
    expect(packagesOfTests()).toEqual([]);
  },
  WITHIN_MS,
);

it(
  'the first command that tests adds the rest and moves nothing; stopped while it does, it leaves a system that starts',
  async () => {
    const zod = inClone('packages/contracts/node_modules/zod');
    const place = realpathSync(zod);
    const before = installed().length;
    const title = 'dependencies of tests and checks, too';
    expect(await stopIn(title, () => installed().length !== before, 'check', '--help')).toMatch(/Stopped\n$/);
    expectToStart();
    expect(run('check', '--help')).toContain('Usage: npm run check');
    expect(packagesOfTests()).toHaveLength(7);
    // Where a system that runs finds it; the file itself may be linked anew.
    expect(realpathSync(zod)).toBe(place);
    expectToStart();
  },
  WITHIN_MS,
);
