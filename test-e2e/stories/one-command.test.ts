import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, workspaceRoot } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import { call, creditsBalance, signUpAt } from '../support/customer.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'tds-start-'));
const running = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGTERM');
  try {
    await eventually(() => expect(processesOf(dir)).toEqual([]), { withinMs: 20_000 });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}, 30_000);

type Started = { process: ChildProcess; gateway: string; mailbox: string };

/** `npm start`, as the bootstrap runs it once everything is installed. */
async function start(port: number, ...options: string[]): Promise<Started> {
  const entry = path.join(workspaceRoot, 'infra/local/src/start.ts');
  const child = spawn(process.execPath, [entry, '--data', dir, ...options], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await eventually(async () => expect(output).toContain('Ready in'), { withinMs: 60_000 });
  const { gateway, mailbox } = JSON.parse(readFileSync(path.join(dir, 'endpoints.json'), 'utf8'));
  return { process: child, gateway, mailbox };
}

async function stop({ process: child }: Started): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await gone;
}

/** Every process whose command line names the data folder, as `<pid> <command line>`. */
const processesOf = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => `${pid} ${commandLineOf(pid)}`)
    .filter((line) => line.includes(folder));

const commandLineOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // gone meanwhile
  }
};

describe('one command brings everything up', () => {
  let port: number;
  let key: string;
  beforeAll(async () => {
    port = await freePort();
  });

  it('starts, serves a first transcript, and leaves no process behind after Ctrl-C', async () => {
    const started = await start(port);
    key = (await signUpAt(started.gateway, started.mailbox)).key;
    const answer = await call(`${started.gateway}/v1/transcript?video_id=manualEn001`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([answer.status, creditsBalance(answer)]).toEqual([200, 99]);
    await stop(started);
    expect(processesOf(dir)).toEqual([]);
  }, 120_000);

  it('comes up again with the data of the first time, each service a process that is started again when killed', async () => {
    const started = await start(port, '--processes');
    const read = () =>
      call(`${started.gateway}/v1/transcript?video_id=manualEn001`, {
        headers: { authorization: `Bearer ${key}` },
      });
    const answer = await read();
    expect([answer.headers.get('x-cache'), creditsBalance(answer)]).toEqual(['HIT', 99]);
    const services = processesOf('src/main.ts').filter((line) => line.includes(workspaceRoot));
    const ours = services.filter((line) => isChildOf(Number.parseInt(line, 10), started.process.pid ?? 0));
    expect(ours).toHaveLength(4);
    for (const line of ours) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    await eventually(async () => expect((await read()).status).toBe(200), { withinMs: 30_000 });
    await stop(started);
    expect(processesOf(dir)).toEqual([]);
  }, 120_000);
});

const isChildOf = (pid: number, parent: number): boolean =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[3] === String(parent);
