import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, procFile, statFields, workspaceRoot } from '@tds/servers';
import { boundMs, eventually, tally } from '@tds/test-kit';
import { call, creditsBalance, signUpAt } from '#support/testing';

const START_WITHIN_MS = process.env.TDS_PROVE ? 900_000 : 2 * boundMs();
const dir = mkdtempSync(path.join(tmpdir(), 'tds-start-'));
const running = new Set<ChildProcess>();
const loops: ChildProcess[] = [];
const endLoops = () => {
  for (const loop of loops.splice(0)) loop.kill('SIGKILL');
};
afterAll(async () => {
  endLoops();
  for (const child of running) child.kill('SIGTERM');
  try {
    await eventually(() => expect(processesOf(dir)).toEqual([]));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

type Started = { process: ChildProcess; gateway: string; mailbox: string; said: { text: string } };

/** Each would have a processor for itself, for as long as this process lives. */
const startLoops = (count: number): void => {
  const loop = ['-c', 'while kill -0 "$0" 2>/dev/null; do :; done', String(process.pid)];
  for (let n = 0; n < count; n += 1) loops.push(spawn('/bin/sh', loop, { stdio: 'ignore' }));
};

/** `npm start`, in a group of its own as a shell starts it. */
async function start(port: number, ...options: string[]): Promise<Started> {
  tally('systems');
  const bootstrap = path.join(workspaceRoot, 'infra/dev/local/bootstrap.mjs');
  const child = spawn(process.execPath, [bootstrap, 'start', '--data', dir, ...options], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said.text += chunk;
    });
  }
  await eventually(() => expect(said.text).toContain('Ready in'), { withinMs: START_WITHIN_MS });
  const { gateway, mailbox } = JSON.parse(readFileSync(path.join(dir, 'endpoints.json'), 'utf8'));
  return { process: child, gateway, mailbox, said };
}

/** Sends the signal and waits for the end. Resolves to the exit code and to what was said from then on. */
async function end(
  { process: child, said }: Started,
  sendSignal: (pid: number) => void,
): Promise<{ code: number | null; lastWords: string[] }> {
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve));
  said.text = '';
  sendSignal(child.pid ?? 0);
  const code = await gone;
  // What a service was just doing with a neighbour that had ended before it.
  const isOfNeighbours = (line: string) => line.includes('"outcome":"service_unavailable"');
  return { code, lastWords: said.text.split('\n').filter((line) => line && !isOfNeighbours(line)) };
}

const inOrder = { code: 0, lastWords: ['Stopping', 'Stopped'] };
/** A terminal sends it to everybody in the group. */
const ctrlC = (pid: number) => void process.kill(-pid, 'SIGINT');
/** A supervisor sends it to the process that it has started, and to no other. */
const sigintAlone = (pid: number) => void process.kill(pid, 'SIGINT');

/** Every process whose command line names the data folder, as `<pid> <command line>`. */
const processesOf = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => `${pid} ${commandLineOf(pid)}`)
    .filter((line) => line.includes(folder));

const commandLineOf = (pid: string): string => procFile(pid, 'cmdline').replaceAll('\0', ' ');

/** Files below the folder that others than their owner could read if they could get there. */
const readableByOthers = (): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => (statSync(file).mode & 0o077) !== 0);

describe('one command brings everything up', () => {
  let port: number;
  let key: string;
  const read = ({ gateway }: Started, videoId: string, reader = key) =>
    call(`${gateway}/v1/transcript?video_id=${videoId}`, { headers: { authorization: `Bearer ${reader}` } });
  beforeAll(async () => {
    port = await freePort();
  });

  it(
    'starts (in proofs beside six busy loops), serves a first transcript, keeps its secrets private, and ends after Ctrl-C without further output and without a process left',
    async () => {
      if (process.env.TDS_PROVE) startLoops(6);
      const started = await start(port).finally(endLoops);
      const [, firstAddress = ''] = /Ready in .*\s+.*?(http:\S+)/.exec(started.said.text) ?? [];
      expect((await call(firstAddress)).status).toBe(200);
      key = (await signUpAt(started.gateway, started.mailbox)).key;
      const answer = await read(started, 'manualEn001');
      expect([answer.status, creditsBalance(answer)]).toEqual([200, 99]);
      expect(readableByOthers()).toEqual([]);
      const { password } = new URL(JSON.parse(readFileSync(path.join(dir, 'endpoints.json'), 'utf8')).postgres);
      expect(processesOf(password)).toEqual([]);
      const other = (await signUpAt(started.gateway, started.mailbox)).key;
      const inHand = read(started, 'slow30sec01', other);
      await read(started, 'manualEn001');
      expect(await end(started, ctrlC)).toEqual(inOrder);
      // Work goes on at the next start; its callers have an address to poll.
      expect((await inHand).status).toBe(202);
      expect(processesOf(dir)).toEqual([]);
    },
    START_WITHIN_MS,
  );

  it('comes up again with the data of the first time, each service a process that is started again when killed', async () => {
    const started = await start(port, '--processes');
    const answer = await read(started, 'manualEn001');
    expect([answer.headers.get('x-cache'), creditsBalance(answer)]).toEqual(['HIT', 99]);
    const services = processesOf('src/main.ts').filter((line) => line.includes(workspaceRoot));
    const isOurs = (pid: number) => parentOf(parentOf(pid)) === started.process.pid;
    const ours = services.filter((line) => isOurs(Number.parseInt(line, 10)));
    expect(ours).toHaveLength(readdirSync(path.join(workspaceRoot, 'services')).length);
    for (const line of ours) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    await eventually(async () => expect((await read(started, 'manualEn001')).status).toBe(200));
    expect(await end(started, sigintAlone)).toEqual(inOrder);
    expect(processesOf(dir)).toEqual([]);
  });
});

/** NaN of one that has ended meanwhile: any process of the machine may. */
const parentOf = (pid: number): number => Number(statFields(pid)[1]);
