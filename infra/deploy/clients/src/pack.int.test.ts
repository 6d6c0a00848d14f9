import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { publint } from 'publint';
import { pack } from './pack.ts';

const MAX_BYTES = 8.5 * 1_024;
const SDK = '@transcript-delivery/sdk';
const LOADER = '@transcript-delivery/langchain';
const modules = path.resolve(import.meta.dirname, '../../../../node_modules');
/** The last one that knows the old resolution. */
const typescript5 = path.resolve(import.meta.dirname, '../node_modules/typescript/bin/tsc');
const SOURCES = /\.test\.|test-support|^src\//;
const dir = mkdtempSync(path.join(tmpdir(), 'tds-pack-'));
const customer = path.join(dir, 'customer');
const run = (file: string, args: readonly string[], cwd = customer): string =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: 'pipe', env: { PATH: process.env.PATH } });

let tarball: string;
let cli: string;
let loader: string;
beforeAll(async () => {
  tarball = await pack('sdk', dir);
  cli = await pack('cli', dir, ['sdk']);
  loader = await pack('langchain', dir, ['sdk']);
  mkdirSync(customer);
  writeFileSync(path.join(customer, 'package.json'), '{"type":"module","private":true}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball]);
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('the packed SDK', () => {
  it('has what its package.json promises: built files, and no scripts, dependencies or tests', () => {
    const files = run('tar', ['tzf', tarball]).trim().split('\n');
    const manifest = JSON.parse(run('tar', ['xzOf', tarball, 'package/package.json']));
    expect(files).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/index.d.ts']),
    );
    expect(files.filter((file) => SOURCES.test(file.replace('package/', '')))).toEqual([]);
    expect(Object.keys(manifest).filter((name) => /scripts|ependencies/.test(name))).toEqual([]);
    expect(manifest).toMatchObject({ sideEffects: false, license: 'Apache-2.0', private: true });
  });

  // The Node that runs this is 24; the one of the path is the person's own, 20 or newer.
  it.each([process.execPath, 'node'])('runs from an empty folder on %s', (node) => {
    const script =
      "const sdk = await import('@transcript-delivery/sdk'); new sdk.Transcripts({ apiKey: 'a', baseUrl: 'http://b' }); console.log(typeof sdk.verifyWebhook)";
    expect(run(node, ['--input-type=module', '-e', script]).trim()).toBe('function');
  });

  it('is required by scripts on Node 20 and by Jest, which loads no modules', () => {
    const script = `const { Transcripts, NoCaptionsError } = require('@transcript-delivery/sdk');
      const { remedies } = require('@transcript-delivery/sdk/remedies');
      const shown = [typeof new Transcripts({ apiKey: 'a', baseUrl: 'http://b' }).jobs.create, NoCaptionsError.name, typeof remedies.no_captions];`;
    const logged = `${script} console.log(shown.join());`;
    expect(run('node', ['--input-type=commonjs', '-e', logged]).trim()).toBe('function,NoCaptionsError,string');
    const expected = `${script} it('loads', () => expect(shown).toEqual(['function', 'NoCaptionsError', 'string']));`;
    writeFileSync(path.join(customer, 'a.test.cjs'), expected);
    const config = JSON.stringify({ rootDir: customer, testMatch: ['**/*.test.cjs'], watchman: false });
    run(process.execPath, [path.join(modules, 'jest/bin/jest.js'), '--ci', '--config', config]);
  });

  it('has no fault that publint knows', async () => {
    const { messages } = await publint({ pkgDir: path.join(customer, 'node_modules', SDK), pack: false });
    // `imports` do the same, but stop at the package.json of the CommonJS.
    expect(messages.filter(({ code }) => code !== 'USE_EXPORTS_OR_IMPORTS_BROWSER')).toEqual([]);
  });

  it.each([
    ['modules of Node', '--module nodenext'],
    ['CommonJS of Node', '--module node16'],
    ['bundlers', '--module esnext --moduleResolution bundler'],
    ['the resolution of TypeScript 4', '--module commonjs --moduleResolution node10'],
  ])('types what a customer writes, with the types of a browser only, for %s', (name, resolution) => {
    const source = `import { Transcripts, verifyWebhook } from '@transcript-delivery/sdk';
      import { remedies } from '@transcript-delivery/sdk/remedies';
      export const all = async (client = new Transcripts()) => {
        const start: number | undefined = (await client.transcripts.get('a', { format: 'json' })).cues[0]?.start;
        const text: string = (await client.transcripts.get('a')).text;
        // @ts-expect-error the default format has no cues
        (await client.transcripts.get('a')).cues;
        const event = await verifyWebhook('', new Headers(), ['old', 'new']);
        if (event.type === 'job.completed') event.data.job_id.toUpperCase();
        return [start, text, remedies.no_captions];
      };`;
    const file = name.includes('modules') ? 'a.mts' : 'a.cts';
    writeFileSync(path.join(customer, file), source);
    const flags = `--noEmit --strict --target es2022 --lib es2023,dom ${resolution}`.split(' ');
    expect(run(process.execPath, [typescript5, ...flags, file])).toBe('');
  });

  it('names no source file in its types, which TypeScript 4 would not read', () => {
    const types = run('sh', ['-c', `grep -rlE "['"][.][^'"]*[.]ts['"]" node_modules/${SDK}/dist || true`]);
    expect(types).toBe('');
  });

  it('is at most 8.5 KB in a page, and imports nothing of Node', async () => {
    const entry = path.join(customer, 'node_modules/@transcript-delivery/sdk/dist/index.js');
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'sdk',
      write: false,
    });
    const bytes = Buffer.from(outputFiles[0]?.contents ?? []);
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
    const page = { crypto, TextEncoder, TextDecoder, URL, Uint8Array, Headers, fetch };
    const verify = runInNewContext(
      `${bytes}; sdk.verifyWebhook`,
      page,
    ) as typeof import('@transcript-delivery/sdk').verifyWebhook;
    const vectors = JSON.parse(
      readFileSync(
        new URL('../../../../packages/web/site/content/webhook-vectors.json', import.meta.url),
        'utf8',
      ),
    );
    const [{ body, headers, secret }] = vectors;
    const now = 1_000 * Number(headers['x-service-timestamp']);
    expect((await verify(body, headers, secret, { now })).type).toBe('webhook.test');
    await expect(verify(`${body} `, headers, secret, { now })).rejects.toMatchObject({
      name: 'WebhookVerificationError',
    });
  });
});

describe('the packed command line', () => {
  it('depends on the SDK of its version, which it contains, on commander and undici, and brings its manual page', () => {
    const files = run('tar', ['tzf', cli]).trim().split('\n');
    const manifest = JSON.parse(run('tar', ['xzOf', cli, 'package/package.json']));
    const sdk = 'package/node_modules/@transcript-delivery/sdk/dist/index.js';
    expect(files.filter((file) => SOURCES.test(file.replace('package/', '')))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['package/dist/main.js', 'package/transcripts.1', sdk]));
    expect(Object.keys(manifest.dependencies)).toEqual(['@transcript-delivery/sdk', 'commander', 'undici']);
    expect(manifest).toMatchObject({
      bin: { transcripts: './dist/main.js' },
      dependencies: { '@transcript-delivery/sdk': '1.0.0' },
    });
    expect(manifest.scripts).toBeUndefined();
    expect(run('tar', ['xzOf', cli, 'package/transcripts.1'])).toContain('.TH TRANSCRIPTS 1');
  });
});

describe('the packed loader for LangChain.js', () => {
  beforeAll(() => {
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', loader]);
    // It comes from a registry, which tests do not ask.
    const core = path.resolve(import.meta.dirname, '../../../../packages/clients/langchain/node_modules');
    symlinkSync(realpathSync(path.join(core, '@langchain')), path.join(customer, 'node_modules/@langchain'));
  });
  const made = "new TranscriptLoader({ videos: 'a', apiKey: 'a', baseUrl: 'http://b' })";

  it('contains the SDK, leaves LangChain to the customer, and has no fault that publint knows', async () => {
    const manifest = JSON.parse(run('tar', ['xzOf', loader, 'package/package.json']));
    expect(manifest).toMatchObject({
      dependencies: { [SDK]: '1.0.0' },
      bundleDependencies: [SDK],
      peerDependencies: { '@langchain/core': '^1.0.0' },
    });
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['devDependencies']));
    const pkgDir = path.join(customer, 'node_modules', LOADER);
    expect((await publint({ pkgDir, pack: false })).messages).toEqual([]);
  });

  it('is a loader of the LangChain that the customer has, as a module and as CommonJS', () => {
    const shown = `console.log(${made} instanceof BaseDocumentLoader)`;
    const names = [
      ['TranscriptLoader', LOADER],
      ['BaseDocumentLoader', '@langchain/core/document_loaders/base'],
    ];
    const imports = names.map(([name, from]) => `import { ${name} } from '${from}';`).join('');
    const requires = names.map(([name, from]) => `const { ${name} } = require('${from}');`).join('');
    expect(run(process.execPath, ['--input-type=module', '-e', imports + shown])).toBe('true\n');
    expect(run(process.execPath, ['--input-type=commonjs', '-e', requires + shown])).toBe('true\n');
  });

  it('types its documents', () => {
    const source = `import { TranscriptLoader } from '${LOADER}';
      import type { BaseDocumentLoader } from '@langchain/core/document_loaders/base';
      export const first = async (loader: BaseDocumentLoader = ${made}) => (await loader.load())[0]?.pageContent;
      export const start = async (): Promise<number | undefined> => (await ${made}.load())[0]?.metadata.start;
      // @ts-expect-error nothing says what is loaded
      new TranscriptLoader({ apiKey: 'a' });`;
    writeFileSync(path.join(customer, 'loader.mts'), source);
    const flags = '--noEmit --strict --skipLibCheck --target es2022 --lib es2023,dom --module nodenext';
    expect(run(process.execPath, [typescript5, ...flags.split(' '), 'loader.mts'])).toBe('');
  });
});
