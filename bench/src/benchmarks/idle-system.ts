import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, guardProcess, workspaceRoot } from '@tds/servers';
import type { Benchmark } from '../benchmark.ts';
import { repeat, row } from '../support/measure.ts';
import { cpuMicros, isNode, processTree, rssBytes, scriptOf, shareBytes } from '../support/procfs.ts';
import { median, sum } from '../support/statistics.ts';

const READY_WITHIN_MS = 180_000;
const STOP_WITHIN_MS = 30_000;
/** By then the garbage of the start is collected and its work is done. */
const SETTLED_AFTER_MS = 15_000;
const IDLE_SECONDS = 20;
const MIB = 1_024 ** 2;
const MS = 1_000;
const PERCENT = 100;
const PROCESSES = ['--processes'];
const BARE = `require('node:http').createServer((_, response) => response.end()).listen(0, '127.0.0.1')`;

type Started = { readonly child: ChildProcess; readonly readyMs: number };

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await gone;
  clearTimeout(force);
};

/** Runs `npm start` from its first process to the line that reports readiness. */
const start = async (dataDir: string, options: readonly string[]): Promise<Started> => {
  const bootstrap = path.join(workspaceRoot, 'infra/local/bootstrap.mjs');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bootstrap, 'start', ...options, '--data', dataDir], {
    env: { ...process.env, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.once('exit', guardProcess(child.pid as number, { signal: 'TERM' }));
  const ready = Promise.withResolvers<number>();
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
    if (output.includes('Ready in')) ready.resolve(performance.now() - startedAt);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => ready.reject(new Error(`the system ended:\n${output}`)));
  const late = setTimeout(() => ready.reject(new Error(`not ready:\n${output}`)), READY_WITHIN_MS);
  try {
    return { child, readyMs: await ready.promise };
  } catch (error) {
    await end(child);
    throw error;
  } finally {
    clearTimeout(late);
  }
};

type Idle = {
  readonly processes: number;
  readonly rssMiB: number;
  /** Memory by script. */
  readonly each: readonly string[];
  readonly shareMiB: number;
  readonly nodeCpu: number;
  readonly serversCpu: number;
};

const watchIdle = async (root: number): Promise<Idle> => {
  await delay(SETTLED_AFTER_MS);
  const tree = processTree(root);
  const nodes = tree.filter(isNode);
  const servers = tree.filter((pid) => !nodes.includes(pid));
  const before = [cpuMicros(nodes), cpuMicros(servers)] as const;
  await delay(IDLE_SECONDS * MS);
  const toPercent = (micros: number) => (micros / (IDLE_SECONDS * MS * MS)) * PERCENT;
  return {
    processes: nodes.length,
    rssMiB: sum(nodes.map(rssBytes)) / MIB,
    each: nodes.map((pid) => `${scriptOf(pid)} ${Math.round(rssBytes(pid) / MIB)}`),
    shareMiB: sum(nodes.map(shareBytes)) / MIB,
    nodeCpu: toPercent(cpuMicros(nodes) - before[0]),
    serversCpu: toPercent(cpuMicros(servers) - before[1]),
  };
};

const bareRss = async (count: number): Promise<number> => {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BARE], { stdio: 'ignore', env: { PATH: process.env.PATH } }),
  );
  for (const child of children) child.once('exit', guardProcess(child.pid as number, { signal: 'TERM' }));
  try {
    await delay(SETTLED_AFTER_MS);
    return sum(children.map(({ pid }) => rssBytes(pid as number))) / MIB;
  } finally {
    for (const child of children) await end(child);
  }
};

const idleOf = async (dataDir: string, options: readonly string[]) => {
  const { child, readyMs } = await start(dataDir, options);
  const idle = await watchIdle(child.pid as number).finally(() => end(child));
  return { ...idle, readySeconds: readyMs / MS };
};

const oneRound = async (dataDir: string) => {
  const { nodeCpu, serversCpu } = await idleOf(dataDir, []);
  const idle = await idleOf(dataDir, PROCESSES);
  return { ...idle, togetherCpu: nodeCpu + serversCpu, bareMiB: await bareRss(idle.processes) };
};

export const idleSystem: Benchmark = {
  name: 'idle',
  title: 'The whole system idle, against bare Node processes',
  run: async (bench) => {
    const dataDir = path.join(bench.dir, 'idle');
    // The first start creates the data.
    await end((await start(dataDir, PROCESSES)).child);
    const rounds = await repeat(bench, () => oneRound(dataDir));
    const each = (of: (round: (typeof rounds)[number]) => number) => rounds.map(of);
    const processes = median(each((round) => round.processes));
    const shareMiB = median(each((round) => round.shareMiB)).toFixed(0);
    const serversCpu = median(each((round) => round.serversCpu)).toFixed(1);
    return {
      rows: [
        row('idle system, RSS of its Node processes', 'MiB', {
          ours: each(({ rssMiB }) => rssMiB),
          peer: each(({ bareMiB }) => bareMiB),
          goal: { most: 2 },
        }),
        row('time to ready, installed, data present', 's', {
          ours: each(({ readySeconds }) => readySeconds),
          goal: { most: 10 },
        }),
        row('CPU when idle, Node processes', '% of one core', {
          ours: each(({ nodeCpu }) => nodeCpu),
          goal: { most: 1.1 },
        }),
        row('CPU when idle, all in one process and its servers', '% of one core', {
          ours: each(({ togetherCpu }) => togetherCpu),
          goal: { most: 1 },
        }),
      ],
      notes: [
        `npm start -- --processes is ${processes} Node processes: the bootstrap, the run itself with simulator and mail catcher, and one per service; the peer is as many of node -e with an HTTP server.`,
        `RSS of each in the last round (MiB): ${rounds.at(-1)?.each.join(', ')}.`,
        `If shared pages count once, the Node processes hold ${shareMiB} MiB (PSS). Postgres, NATS and Redis use ${serversCpu} % of one core over ${IDLE_SECONDS} s of idleness.`,
      ],
    };
  },
};
