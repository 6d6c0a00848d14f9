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
});
afterAll(() => rmSync(workspace.root, { recursive: true, force: true }));

/** What a program said in the copy; throws that where it failed. */
const run = (program: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: workspace.root,
    encoding: 'utf8',
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
};

/** What an installation would do: the dependencies of a service with the same ones, and the database's client. */
const install = (): void => {
  const folder = path.join(workspace.root, 'services', SERVICE);
  const model = path.join(workspace.root, 'services/credits-ledger/node_modules');
  cpSync(model, path.join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const prisma = 'packages/servers/node_modules/prisma/build/index.js';
  run(process.execPath, prisma, 'generate', '--schema', `${folder}/prisma/schema.prisma`);
};

const ASK = `
  import { startGeneratedExample } from './services/${SERVICE}/src/test-support/start-${SERVICE}.ts';
  import { generatedExample } from './packages/contracts/src/index.ts';
  import { testContext } from './packages/service-kit/src/testing/index.ts';
  const running = await startGeneratedExample();
  const answer = await running.call(generatedExample.answerQuestion, {}, testContext());
  await running.stop();
  console.log(JSON.stringify(answer));
`;

describe('a generated service', () => {
  it('passes the formatter and the linter once formatted, and the type check', () => {
    install();
    run('node_modules/.bin/biome', 'check', '--write', '--vcs-enabled=false', `services/${SERVICE}/src`);
    run('node_modules/.bin/biome', 'check', '--vcs-enabled=false', `services/${SERVICE}/src`);
    run('node_modules/.bin/tsc', '-p', `services/${SERVICE}/tsconfig.json`);
  });

  it('answers its generated command over the bus', () => {
    writeFileSync(path.join(workspace.root, 'ask.ts'), ASK);
    expect(JSON.parse(run(process.execPath, 'ask.ts'))).toEqual({ answeredAt: '2026-01-15T12:00:00.000Z' });
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
  ])('says what is wrong with "%s"', (words, sentence) => {
    expect(() => newThing(workspace, words.split(' '))).toThrow(sentence);
  });
});
