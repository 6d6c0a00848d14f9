import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPart } from './new-part.ts';
import type { Workspace } from './workspace.ts';

const original = path.resolve(import.meta.dirname, '../../..');
const SERVICE = 'generated-example';

/** A copy of the tree with the same dependencies; its packages import each other within the copy. */
const copyTree = (): string => {
  const copy = mkdtempSync(path.join(tmpdir(), 'tds-generated-'));
  for (const folder of [
    'packages',
    'services',
    'infra',
    'biome.json',
    'jest.config.ts',
    'tsconfig.base.json',
    'package.json',
  ]) {
    cpSync(path.join(original, folder), path.join(copy, folder), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(path.join(original, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
};

let workspace: Workspace;
beforeAll(() => {
  workspace = { root: copyTree(), touched: [] };
  newPart(workspace, ['service', SERVICE]);
  newPart(workspace, ['command', SERVICE, 'answer-question']);
  newPart(workspace, ['command', 'status', 'answer-question']);
});
afterAll(() => rmSync(workspace.root, { recursive: true, force: true }));

/** Runs a program in a folder of the copy and returns its output; throws the output if it failed. */
const run = (folder: string, program: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: path.join(workspace.root, folder),
    encoding: 'utf8',
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
};

/** Replaces an installation: copies the dependencies of a service with the same ones, and writes the Prisma client. */
const install = (): void => {
  const folder = path.join(workspace.root, 'services', SERVICE);
  const model = path.join(workspace.root, 'services/credits-ledger/node_modules');
  cpSync(model, path.join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const prisma = 'infra/servers/node_modules/prisma/build/index.js';
  run('.', process.execPath, prisma, 'generate', '--schema', `${folder}/prisma/schema.prisma`);
};

const biome = (...flags: string[]) => {
  const sources = workspace.touched.filter((file) => file.endsWith('.ts'));
  return run('.', 'node_modules/.bin/biome', 'check', ...flags, '--vcs-enabled=false', ...sources);
};
const testsIn = (folder: string): string[] =>
  workspace.touched.filter((file) => file.startsWith(`${folder}/`) && file.endsWith('.test.ts'));

const ASK = `
  import { startGeneratedExample } from './services/${SERVICE}/src/test-support/start-${SERVICE}.ts';
  import { generatedExample } from './packages/contracts/src/index.ts';
  import { testContext } from './packages/kit/src/testing/index.ts';
  const running = await startGeneratedExample();
  const accountId = '0b0e5f0e-7d0a-4b43-9f5e-0d3f0f0a0001';
  const answer = await running.call(generatedExample.answerQuestion, { accountId }, testContext());
  await running.stop();
  console.log(JSON.stringify(answer));
`;

describe('a generated service and its command', () => {
  it('pass formatter, linter and type check, in a new service and in one that imports its commands as a module', () => {
    install();
    biome('--write');
    biome();
    for (const folder of [`services/${SERVICE}`, 'services/status', 'packages/contracts'])
      run('.', 'node_modules/.bin/tsc', '-p', `${folder}/tsconfig.json`);
  });

  it('answer over the bus', () => {
    writeFileSync(path.join(workspace.root, 'ask.ts'), ASK);
    const said = run('.', process.execPath, 'ask.ts');
    expect(JSON.parse(said)).toEqual({ accountId: '0b0e5f0e-7d0a-4b43-9f5e-0d3f0f0a0001' });
  });

  it('pass their test', () => {
    const folder = `services/${SERVICE}`;
    const [test = ''] = testsIn(folder);
    const tests = ['../../infra/local/package-tests.mjs', '--runTestsByPath', path.relative(folder, test)];
    expect(run(folder, process.execPath, ...tests)).toContain('1 passed');
  });

  it('depend on the versions that the other services use', () => {
    const dependenciesOf = (service: string): Record<string, string> =>
      JSON.parse(readFileSync(path.join(workspace.root, 'services', service, 'package.json'), 'utf8'))
        .dependencies;
    expect(dependenciesOf('status')).toEqual(dependenciesOf(SERVICE));
  });

  it('are listed file by file, each once', () => {
    expect(workspace.touched).toEqual([...new Set(workspace.touched)]);
    expect(workspace.touched).toContain('packages/contracts/src/service-names.ts');
  });
});

describe('the generator', () => {
  it.each([
    ['', 'Usage'],
    ['command', 'Usage'],
    ['command unknown do-it', 'There is no service unknown'],
    [`command ${SERVICE} Do It`, 'Usage'],
    [`command ${SERVICE} 1st`, 'is not a name'],
    [`command ${SERVICE} answer-question`, 'exists already'],
    [`service ${SERVICE}`, 'exists already'],
    ['route answer', 'Usage'],
  ])('rejects "%s" with the reason', (words, sentence) => {
    expect(() => newPart(workspace, words.split(' '))).toThrow(sentence);
  });
});
