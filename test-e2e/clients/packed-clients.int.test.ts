import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, workspaceRoot } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import JSZip from 'jszip';
import {
  type Customer,
  fileVideo,
  shareTestSystem,
  signUp,
  startAnother,
  type TestSystem,
} from '#support/testing';

const run = promisify(execFile);
const dir = mkdtempSync(path.join(tmpdir(), 'tds-clients-'));
const folder = path.join(dir, 'customer');
const stories = path.join(import.meta.dirname, 'stories');

let system: TestSystem;
let customer: Customer;

/** No registry can be asked. */
const inFolder = (command: string, cwd = folder) => {
  const cache = { npm_config_cache: path.join(dir, `cache-of-${path.basename(cwd)}`) };
  const env = {
    ...process.env,
    ...cache,
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_audit: 'false',
  };
  return run('sh', ['-c', command], { cwd, env });
};

/** The command of a guide that installs something, as it is printed there. */
const shownIn = async (guide: string, program: string, gateway = system.gateway): Promise<string> => {
  const text = await (await fetch(`${gateway}/docs/${guide}.md`)).text();
  return new RegExp(`^${program} .*$`, 'm').exec(text)?.[0] ?? `${guide} shows no ${program}`;
};
beforeAll(async () => {
  system = await shareTestSystem();
  customer = await signUp(system);
  const needed = ['commander', 'undici'].map((name) =>
    realpathSync(path.join(workspaceRoot, 'packages/clients/cli/node_modules', name)),
  );
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","private":true}');
  cpSync(stories, folder, { recursive: true });
  // npm takes packages of a folder for sources, and would build them.
  writeFileSync(path.join(folder, '.npmrc'), 'ignore-scripts=true\n');
  // What the command line needs comes from the workspace, all else from the installation.
  await inFolder(`npm install ${needed.join(' ')}`);
  await inFolder(await shownIn('typescript', 'npm install'));
  await inFolder((await shownIn('command-line', 'npm install')).replace('--global', ''));
  await inFolder(await shownIn('python', 'curl'));
});
afterAll(async () => {
  await system?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A program of a customer, in its folder, with the key and the address in the environment and nothing else of ours. */
const as = async (who: Customer, file: string, ...args: string[]): Promise<string> => {
  const env = {
    PATH: process.env.PATH,
    TRANSCRIPTS_API_KEY: who.key,
    TRANSCRIPTS_BASE_URL: system.gateway,
    XDG_CONFIG_HOME: path.join(dir, 'config'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return (await run(file, args, { cwd: folder, env })).stdout;
};
const filesOf = async (zip: string): Promise<string[]> =>
  Object.keys((await JSZip.loadAsync(readFileSync(path.join(folder, zip)), { checkCRC32: true })).files);

type Story = {
  job: string;
  counts: object;
  charged: number;
  saved: { path: string; bytes: number }[];
  progress: number;
};
type Secret = { webhook_secret: string };

/** The newest request that the receiver of the webhook got, once there are that many. */
const received = (count: number) =>
  eventually(() => {
    const all = system.receiver.received();
    expect(all.length).toBeGreaterThanOrEqual(count);
    return all.at(-1);
  });

/** A customer runs a job of two videos, saves its archive, and verifies the test event of its webhook. */
const expectStory = async (
  who: Customer,
  command: readonly [string, ...string[]],
  zip: string,
  first: number,
) => {
  const [file, ...args] = command;
  const videos = [fileVideo(first), fileVideo(first + 1), 'noCaptions1'];
  const story = JSON.parse(await as(who, file, ...args, 'job', zip, ...videos)) as Story;
  expect(story).toMatchObject({
    counts: { total: 3, fetched: 2, error: 1 },
    charged: 2,
    saved: [{ path: zip }],
  });
  expect(story.progress).toBeGreaterThan(0);
  expect((await filesOf(zip)).filter((name) => name.endsWith('.md'))).toHaveLength(2);
  const before = system.receiver.received().length;
  const { webhook_secret: secret } = JSON.parse(
    await as(who, file, ...args, 'webhook', system.receiver.hookUrl),
  ) as Secret;
  const request = await received(before + 1);
  const given = path.join(folder, 'request.json');
  writeFileSync(given, JSON.stringify({ body: request?.body, headers: request?.headers, secret }));
  expect(JSON.parse(await as(who, file, ...args, 'verify', given))).toEqual({
    type: 'webhook.test',
    refused: 'WebhookVerificationError',
  });
};

describe('a customer with the packed SDK in an empty folder', () => {
  // The Node that runs this is 24; the one of the path is the person's own, 20 or newer.
  it.each([
    [process.execPath, 100],
    ['node', 200],
  ])('runs a job, saves and checks its archive, and verifies a webhook on %s', async (node, first) => {
    await expectStory(await signUp(system), [node, 'story.mjs'], `sdk-${first}.zip`, first);
  });
});

/** What the next release serves: every package differs. */
const nextRelease = (built: string): string => {
  const next = path.join(dir, 'next-release');
  cpSync(built, next, { recursive: true });
  rmSync(path.join(next, 'downloads'), { recursive: true });
  mkdirSync(path.join(next, 'downloads'));
  writeFileSync(path.join(next, 'downloads/sdk-1.0.1-0123456789ab.tgz'), 'another package');
  return next;
};

describe('a customer with a lock file', () => {
  it('installs the same package after the next release', async () => {
    const project = path.join(dir, 'locked');
    mkdirSync(project);
    writeFileSync(path.join(project, 'package.json'), '{"type":"module","private":true}');
    const port = await freePort();
    const gatewayOf = (builtDir: string) =>
      startAnother(system, 'gateway', {
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        BUILT_DIR: builtDir,
      });
    const built = String(system.environmentOf.gateway?.BUILT_DIR);
    const before = await gatewayOf(built);
    const install = await shownIn('typescript', 'npm install', `http://127.0.0.1:${port}`);
    await inFolder(install, project).finally(before.stop);
    const after = await gatewayOf(nextRelease(built));
    try {
      const newest = await shownIn('typescript', 'npm install', `http://127.0.0.1:${port}`);
      expect(newest).toContain('sdk-1.0.1-0123456789ab.tgz');
      rmSync(path.join(dir, 'cache-of-locked'), { recursive: true });
      await inFolder('npm ci', project);
    } finally {
      await after.stop();
    }
    const script = "import('@transcript-delivery/sdk').then((sdk) => console.log(typeof sdk.Transcripts))";
    expect((await run('node', ['-e', script], { cwd: project })).stdout).toBe('function\n');
  });
});

describe('a customer with the Python module', () => {
  const hasPython = run('python3', ['--version']).then(
    () => true,
    () => false,
  );
  it('does the same; with asyncio it reads eight transcripts at once, and watches for words', async () => {
    if (!(await hasPython)) return void process.stderr.write('The story of Python is skipped: no python3.\n');
    await expectStory(customer, ['python3', 'story.py'], 'python.zip', 300);
    const videos = Array.from({ length: 8 }, (_, index) => fileVideo(600 + index));
    const read = as(await signUp(system), 'python3', 'story.py', 'read', ...videos);
    expect(JSON.parse(await read)).toEqual({ charged: 8, missing: [], watched: [true, true, 'daily', 0] });
  });
});

describe('a customer with the packed loader for LangChain.js', () => {
  it('loads videos and a channel as documents that name their second, without those that fail', async () => {
    // What a registry would give comes from the workspace.
    await inFolder(
      (await shownIn('langchain', 'npm install')).replace('@langchain/core', '--legacy-peer-deps'),
    );
    await inFolder(`ln -s ${workspaceRoot}/packages/clients/langchain/node_modules/@langchain node_modules`);
    const who = await signUp(system);
    const videos = ['manualEn001', 'noCaptions1', fileVideo(500)];
    const loaded = JSON.parse(await as(who, process.execPath, 'loader.mjs', ...videos));
    const { metadata } = loaded.videos[1];
    expect(metadata.source).toContain(`manualEn001&t=${Math.floor(metadata.start)}s`);
    expect(loaded.videos.at(-1).metadata.video_id).toBe(fileVideo(500));
    expect(loaded).toMatchObject({ channel: [{}, {}], failures: ['noCaptions1 no_captions'] });
  });
});

describe('a customer with the packed command line', () => {
  const cli = (...words: string[]) => as(customer, process.execPath, 'node_modules/.bin/transcripts', ...words);

  it('signs in, reads a transcript, runs a job with progress, and saves its archive', async () => {
    const login = `env -u TRANSCRIPTS_API_KEY "${process.execPath}" node_modules/.bin/transcripts login`;
    expect(await as(customer, 'sh', '-c', `echo "$TRANSCRIPTS_API_KEY" | ${login}`)).toContain(customer.email);
    const srt = await cli('transcript', 'manualEn001', '--format', 'srt');
    expect(srt).toMatch(/^1\n00:00:/);
    const job = JSON.parse(await cli('jobs', 'create', fileVideo(400), '--wait', '--json')) as {
      id: string;
    };
    expect(job).toMatchObject({ status: 'completed', credits: { charged: 1 } });
    expect(await cli('jobs', 'download', job.id, '-o', 'cli.zip')).toBe('cli.zip\n');
    expect(await filesOf('cli.zip')).toContain('Source/manifest.json');
    expect(await cli('usage')).toContain('to spend');
    expect(await cli('keys', 'list')).toContain(customer.keyId);
  });

  it('has every command that the guide shows', async () => {
    const guide = await (await fetch(`${system.gateway}/docs/command-line.md`)).text();
    const shown = [...guide.matchAll(/^(?:echo .*\| )?transcripts ([a-z]+(?: [a-z]+)?)/gm)].map(
      ([, words = '']) => words,
    );
    expect(shown.length).toBeGreaterThan(8);
    for (const words of shown) {
      const usage = await cli(...words.split(' '), '--help');
      expect(usage).toMatch(new RegExp(`^Usage: transcripts ${words.split(' ')[0]}`));
      // A group of commands answers for one that it does not have.
      expect(usage).not.toContain('Commands:');
    }
  });

  it('ends with the code of the class of an error', async () => {
    const stderr = expect.stringContaining('no_captions');
    await expect(cli('transcript', 'noCaptions1')).rejects.toMatchObject({ code: 5, stdout: '', stderr });
    const stdout = expect.stringContaining('"code":"invalid_video_id"');
    await expect(cli('transcript', 'xx', '--json')).rejects.toMatchObject({ code: 2, stdout });
    // Nothing closes the pipe that is its standard input.
    await expect(cli('login')).rejects.toMatchObject({ code: 2 });
  });
});
