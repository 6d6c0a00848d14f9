import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';
import { eventually, proven } from '@tds/test-kit';

type Manifest = { readonly scripts: Readonly<Record<string, string>> };
const { scripts } = JSON.parse(readFileSync(path.join(workspaceRoot, 'package.json'), 'utf8')) as Manifest;
const PATH = [
  path.dirname(process.execPath),
  path.join(workspaceRoot, 'node_modules/.bin'),
  process.env.PATH,
].join(path.delimiter);
const WITHIN_MS = 120_000;

const run = (line: string): ChildProcess =>
  spawn('sh', ['-c', `exec ${line}`], {
    cwd: workspaceRoot,
    detached: true, // a group, as a terminal makes for each line
    env: { ...process.env, PATH, NODE_OPTIONS: '', npm_node_execpath: process.execPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const namesOf = (line: RegExp) => Object.keys(scripts).filter((name) => line.test(scripts[name] ?? ''));
const renamed = namesOf(/^\.\/tds renamed /);
/** Programs of others know how they are used. */
const ours = namesOf(/^(\.\/tds|node) (?!renamed )/);

const finish = async (child: ChildProcess) => {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  return [code, said];
};

it.each(proven(['start', 'test', 'create-key'], ours))(
  'npm run %s -- --help says how it is used and does nothing else',
  async (name) => {
    const [code, said] = await finish(run(`${scripts[name]} --help`));
    expect([code, said]).toEqual([0, expect.stringMatching(/usage|options/i)]);
    expect(said).not.toMatch(/Tasks: {4}|✓ checks|wrote /);
  },
  WITHIN_MS,
);

it.each(renamed)('npm run %s names the command that has replaced it', async (name) => {
  const [code, said] = await finish(run(`${scripts[name]} --some option`));
  const [, now = ''] = /^This command has a new name: npm run (\S+)\n$/.exec(`${said}`) ?? [];
  expect([code, ours]).toEqual([2, expect.arrayContaining([now])]);
});

it('npm install installs nothing, and says which commands do', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'tds-install-'));
  copyFileSync(path.join(workspaceRoot, 'package.json'), path.join(folder.path, 'package.json'));
  const [code, said] = await finish(run(`npm install --prefix ${folder.path}`));
  expect([code, said]).toEqual([1, expect.stringMatching(/npm start, .*install what they need/)]);
  expect(readdirSync(folder.path)).toEqual(['package.json']);
});

/** Processes that have this among the variables they were started with. */
const processesWith = (mark: string): string[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const isOne = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
        return isOne ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        return []; // It has ended, or belongs to another user.
      }
    });

/** A variable that all have which a test starts, at whatever depth. */
const newMark = (): string => `TDS_TEST_MACHINE_OF=${process.pid}-${Date.now()}`;

(process.platform === 'linux' ? it : it.skip)(
  'npm run check ends with all that it has started when it gets SIGTERM',
  async () => {
    const mark = newMark();
    const child = run(`env ${mark} TURBO_FORCE=true ${scripts.check}`);
    await eventually(() => expect(processesWith(mark).join('\n')).toMatch(/tsc|depcruise|biome/), {
      withinMs: WITHIN_MS,
    });
    child.kill('SIGTERM');
    await once(child, 'close');
    await eventually(() => expect(processesWith(mark)).toEqual([]), { withinMs: WITHIN_MS });
  },
  2 * WITHIN_MS,
);

(process.platform === 'linux' ? it : it.skip).each(
  proven(
    ['packages/queue infra/test/test-kit --force'],
    ['packages/queue infra/test/test-kit --force', 'packages/queue/src/tasks/progress.int.test.ts'],
  ),
)(
  'Ctrl-C in the middle of npm test -- %s leaves no process and no database',
  async (what) => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'tds-run-'));
    const tally = path.join(folder.path, 'tally');
    const files = `TDS_TEST_TALLY=${tally} TDS_TEST_FAILURES=${path.join(folder.path, 'failures')}`;
    const mark = newMark();
    // Servers of its own.
    const child = run(`env ${mark} ${files} TDS_TEST_POSTGRES_URL= npm test -- ${what}`);
    const hasDatabase = () => expect(readFileSync(tally, 'utf8')).toContain('databases 1');
    await eventually(hasDatabase, { withinMs: WITHIN_MS });
    const guards = processesWith(mark).join('\n');
    const dirs = [...new Set(guards.match(/\S+\/tds-test-\S+/g))];
    expect(dirs.join('\n')).toMatch(/postgres-/);
    process.kill(-Number(child.pid), 'SIGINT');
    await once(child, 'close');
    const isLeft = (dir: string) => existsSync(dir) || processesWith('').some((line) => line.includes(dir));
    await eventually(() => expect([processesWith(mark), dirs.filter(isLeft)]).toEqual([[], []]));
  },
  2 * WITHIN_MS,
);
