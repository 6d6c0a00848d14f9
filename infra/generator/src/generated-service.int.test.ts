import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newThing } from './new-thing.ts';
import type { Workspace } from './workspace.ts';

const original = path.resolve(import.meta.dirname, '../../..');
const SERVICE = 'generated-example';

/** A copy of the tree with the same dependencies; what the packages import of one another is the copy's. */
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
  const make = (words: string) => newThing(workspace, words.split(' '));
  make(`service ${SERVICE}`);
  make(`command ${SERVICE} answer-question`);
  make(`task ${SERVICE} write-answer`);
  make(`event ${SERVICE} answer-written`);
  make(`subscription ${SERVICE} identity.accountCreated`);
  make(`schedule ${SERVICE} sweep-answers 30`);
  make(`store ${SERVICE} answer`);
  make(`objects ${SERVICE} reports`);
  make(`projection ${SERVICE} standing`);
  make(`route answer ${SERVICE}.answerQuestion POST /v1/answers`);
});
afterAll(() => rmSync(workspace.root, { recursive: true, force: true }));

/** What a program said in a folder of the copy; throws that where it failed. */
const run = (folder: string, program: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: path.join(workspace.root, folder),
    encoding: 'utf8',
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
};

/** What an installation would do: the dependencies of a service with the same ones, and the database's client. */
const install = (): void => {
  const folder = path.join(workspace.root, 'services', SERVICE);
  const model = path.join(workspace.root, 'services/credits-ledger/node_modules');
  cpSync(model, path.join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const prisma = 'packages/servers/node_modules/prisma/build/index.js';
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
  import { testContext } from './packages/service-kit/src/testing/index.ts';
  const running = await startGeneratedExample();
  const accountId = '0b0e5f0e-7d0a-4b43-9f5e-0d3f0f0a0001';
  const answer = await running.call(generatedExample.answerQuestion, { accountId }, testContext());
  await running.stop();
  console.log(JSON.stringify(answer));
`;

describe('what is generated of every kind', () => {
  it('passes the formatter and the linter once formatted, and the type check', () => {
    install();
    biome('--write');
    biome();
    for (const folder of [
      `services/${SERVICE}`,
      'services/gateway',
      'packages/contracts',
      'packages/http-api',
    ])
      run('.', 'node_modules/.bin/tsc', '-p', `${folder}/tsconfig.json`);
  });

  it('answers its generated command over the bus', () => {
    writeFileSync(path.join(workspace.root, 'ask.ts'), ASK);
    const said = run('.', process.execPath, 'ask.ts');
    expect(JSON.parse(said)).toEqual({ accountId: '0b0e5f0e-7d0a-4b43-9f5e-0d3f0f0a0001' });
  });

  it.each([
    [`services/${SERVICE}`, 7],
    ['services/gateway', 2],
  ])('passes the tests that were generated in %s, one at least for what runs there', (folder, files) => {
    const tests = testsIn(folder);
    expect(tests).toHaveLength(files);
    const given = tests.map((file) => path.relative(folder, file));
    const said = run(
      folder,
      process.execPath,
      '../../infra/local/package-tests.mjs',
      '--runTestsByPath',
      ...given,
    );
    expect(said).toContain(`${files} passed`);
  });

  it('names every place that was written or changed, once', () => {
    expect(workspace.touched).toEqual([...new Set(workspace.touched)]);
    expect(workspace.touched).toContain('packages/contracts/src/service-names.ts');
  });
});

describe('the generator', () => {
  it.each([
    ['', 'Usage'],
    ['command', 'Usage'],
    ['command nobody do-it', 'There is no service nobody'],
    [`command ${SERVICE} Do It`, 'Usage'],
    [`command ${SERVICE} 1st`, 'is no name'],
    [`command ${SERVICE} answer-question`, 'is there already'],
    [`service ${SERVICE}`, 'is there already'],
    [`schedule ${SERVICE} often never`, 'is no number of seconds'],
    [`subscription ${SERVICE} identity.nothingHappened`, 'has no event'],
    [`route answer ${SERVICE}.answerWritten GET /v1/answers`, 'has no command'],
    [`route answer ${SERVICE}.answerQuestion PATCH /v1/answers`, 'is no method'],
    [`route answer ${SERVICE}.answerQuestion GET answers`, 'is no path'],
  ])('says what is wrong with "%s"', (words, sentence) => {
    expect(() => newThing(workspace, words.split(' '))).toThrow(sentence);
  });
});
