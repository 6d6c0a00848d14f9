import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { serviceNames } from '@tds/provisioning';
import { workspaceRoot } from '@tds/servers';
import { processEnvironment } from '@tds/test-kit';

const dockerfile = readFileSync(path.join(workspaceRoot, 'infra/deploy/docker/Dockerfile'), 'utf8');
const [, words = ''] = /bundle\.ts \/services (.*) \\$/m.exec(dockerfile) ?? [];
let app: string;

beforeAll(() => {
  app = mkdtempSync(path.join(tmpdir(), 'tds-bundle-'));
  const programs = words.split(' ').map((word) => word.replaceAll("'", ''));
  execFileSync(process.execPath, [path.join(import.meta.dirname, 'bundle.ts'), app, ...programs]);
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { cwd: app, encoding: 'utf8', env: processEnvironment() });

it.each(serviceNames)('%s is one file that loads, and ends at its missing settings', (service) => {
  expect(run(`services/${service}/src/main.js`).stdout).toContain('NATS_URL is missing');
});

it('the image has the tools that are run inside of it, and no server, source or test', () => {
  for (const tool of ['audit/src/books', 'audit/src/dead-letters', 'platform-probe/src/main'])
    expect(run(`infra/measure/${tool}.js`, '--help').stdout).toContain('Usage: npm run');
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /\.tsx?$|\/test-support|^infra\/(dev\/(?!servers)|test\/)/.test(file))).toEqual(
    [],
  );
  expect(files).toContain('services/status/prisma/schema.prisma');
});

it('the workers that services start lie beside them, with the worker of their pool', () => {
  const sources = globSync('services/*/src/**/*.ts', { cwd: workspaceRoot, exclude: ['**/*.test.ts'] });
  const workers = sources.flatMap((file) =>
    [...readFileSync(path.join(workspaceRoot, file), 'utf8').matchAll(/new URL\('([\w-]+)\.ts', import/g)].map(
      ([, name]) => `${file.replace(/\/src\/.*/, '/src')}/${name}.js`,
    ),
  );
  expect(workers).toHaveLength(4);
  for (const worker of workers)
    for (const file of [worker, path.join(path.dirname(worker), 'worker.js')])
      expect([file, existsSync(path.join(app, file))]).toEqual([file, true]);
});

it('a stack trace names the lines of sources', () => {
  const { stderr } = run('infra/deploy/provisioning/src/databases-job.js', '/nowhere');
  const [, source = '', line] = /at (\/\S+\/databases-job\.ts):(\d+):\d+/.exec(stderr) ?? [];
  const file = path.join(workspaceRoot, path.relative(app, source));
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('readFileSync(file');
});
