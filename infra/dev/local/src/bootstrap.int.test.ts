import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';
import { eventually } from '@tds/test-kit';

/** A clone in which nothing is installed, with one command that must never be reached. */
const makeClone = (): string => {
  const clone = mkdtempSync(path.join(tmpdir(), 'tds clone-'));
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];
  const steps = ['tds', 'infra/dev/local/bootstrap.mjs', 'infra/dev/local/bootstrap'];
  for (const file of [...files, ...steps])
    cpSync(path.join(workspaceRoot, file), path.join(clone, file), { recursive: true });
  mkdirSync(path.join(clone, 'infra/dev/local/src'));
  writeFileSync(path.join(clone, 'infra/dev/local/src/hello.ts'), "console.log('hello');\n");
  return clone;
};

/** Of the person, outside the clone. */
const homeOf = (dir: string): string => `${dir}-home`;

const clones: string[] = [];
const registries: Server[] = [];
const running: ChildProcess[] = [];
let clone: string;
beforeEach(() => {
  clone = makeClone();
  mkdirSync(homeOf(clone));
  clones.push(clone, homeOf(clone));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const registry of registries.splice(0)) registry.close().closeAllConnections();
  for (const each of clones.splice(0)) rmSync(each, { recursive: true, force: true });
});

/** Answers every request so, or never. */
const startRegistry = async (answer?: (origin: string) => unknown): Promise<string> => {
  const registry = createServer(({ headers }, response) => {
    if (answer) response.end(JSON.stringify(answer(`http://${headers.host}`)));
  });
  registries.push(registry.listen(0, '127.0.0.1'));
  await once(registry, 'listening');
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
};

const hello = (registry: string, options: { detached?: boolean } = {}) => {
  const own = { NODE_OPTIONS: '', HOME: homeOf(clone), npm_config_registry: registry };
  const env = { ...process.env, ...own, npm_node_execpath: process.execPath };
  const child = spawn(path.join(clone, 'tds'), ['hello'], { env, ...options });
  running.push(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said.text += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, ended };
};

describe('the first start', () => {
  it('says in a sentence that the registry cannot be reached, and what to do, and leaves nothing outside the clone', async () => {
    const registry = await startRegistry();
    const { port } = new URL(registry);
    registries.splice(0).map((server) => server.close());
    const { said, ended } = hello(`http://127.0.0.1:${port}`);
    expect(await ended).toBe(1);
    expect(said.text).toContain(`The npm registry ${registry}`);
    expect(said.text).toContain('could not be reached (ECONNREFUSED)');
    expect(said.text).toContain('npm config set registry');
    expect(said.text).not.toContain('npm error');
    expect(readdirSync(homeOf(clone))).toEqual([]);
  });

  it('does not wait for ever for a registry that takes connections and never answers, and says what it waits for', async () => {
    const { said, ended } = hello(await startRegistry());
    await eventually(() => expect(said.text).toContain('… pnpm'));
    expect(await ended).toBe(1);
    expect(said.text).toContain('could not be reached');
  }, 900_000);

  it('runs nothing of a package whose hash is not the one in package.json', async () => {
    const forged = (origin: string) => ({
      name: 'pnpm',
      'dist-tags': { latest: '10.34.9' },
      versions: {
        '10.34.9': { name: 'pnpm', version: '10.34.9', dist: { tarball: `${origin}/pnpm.tgz` } },
      },
    });
    const { said, ended } = hello(await startRegistry(forged));
    expect(await ended).toBe(1);
    expect(said.text).toContain('its hash differs, so it was not installed');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends with one word at %s to itself alone, in the middle of a download',
    async (signal) => {
      const { child, said, ended } = hello(await startRegistry());
      await eventually(() => expect(said.text).toContain('… pnpm'));
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(said.text.split('\n').filter((line) => line && !line.includes('…'))).toEqual(['Stopped']);
    },
  );

  it('ends with one word at a Ctrl-C, which a terminal sends to the whole group', async () => {
    const { child, said, ended } = hello(await startRegistry(), { detached: true });
    await eventually(() => expect(said.text).toContain('… pnpm'));
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await ended).toBe(0);
    expect(said.text.split('\n').filter((line) => line && !line.includes('…'))).toEqual(['Stopped']);
  });

  it('keeps what it makes to its user', async () => {
    const { said, child, ended } = hello(await startRegistry());
    await eventually(() => expect(said.text).toContain('… pnpm'));
    child.kill();
    await ended;
    expect(statSync(path.join(clone, '.local')).mode & 0o066).toBe(0);
  });
});
