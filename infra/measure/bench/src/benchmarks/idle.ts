import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withDeadline } from '@tds/base';
import { endChild, endWithParent, freePort, workspaceRoot } from '@tds/servers';
import { type Benchmark, type Row, repeat, sum } from '../benchmark.ts';
import { cpuMicros, isNode, processTree, rssBytes } from '../support/procfs.ts';

const READY_WITHIN_MS = 180_000;
const STOP_WITHIN_MS = 30_000;
/** By then the garbage of the start is collected and its work is done. */
const SETTLED_AFTER_MS = 30_000;
const IDLE_SECONDS = 8;
const MIB = 1_024 ** 2;
const MS = 1_000;
const PERCENT = 100;
const BARE = `require('node:http').createServer((_, response) => response.end()).listen(0, '127.0.0.1')`;

type Started = { readonly child: ChildProcess; readonly readyMs: number };

const end = (child: ChildProcess): Promise<void> => endChild(child, { withinMs: STOP_WITHIN_MS });

/** Runs `npm start` from its first process to the line that reports readiness. */
const start = async (dataDir: string, options: readonly string[]): Promise<Started> => {
  const bootstrap = path.join(workspaceRoot, 'infra/dev/local/bootstrap.mjs');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bootstrap, 'start', ...options, '--data', dataDir], {
    env: { ...process.env, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.once('exit', endWithParent(child.pid as number, { signal: 'TERM' }));
  const ready = Promise.withResolvers<number>();
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
    if (output.includes('Ready in')) ready.resolve(performance.now() - startedAt);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => ready.reject(new Error(`the system ended:\n${output}`)));
  try {
    const late = () => new Error(`not ready:\n${output}`);
    return { child, readyMs: await withDeadline(ready.promise, READY_WITHIN_MS, late) };
  } catch (error) {
    await end(child);
    throw error;
  }
};

type Idle = {
  readonly processes: number;
  readonly rssMiB: number;
  /** Percent of a core. */
  readonly nodeCpu: number;
};

const watchIdle = async (root: number): Promise<Idle> => {
  const nodes = processTree(root).filter(isNode);
  const before = cpuMicros(nodes);
  await delay(IDLE_SECONDS * MS);
  return {
    processes: nodes.length,
    rssMiB: sum(nodes.map(rssBytes)) / MIB,
    nodeCpu: ((cpuMicros(nodes) - before) / (IDLE_SECONDS * MS * MS)) * PERCENT,
  };
};

const bareRss = async (count: number): Promise<number> => {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BARE], { stdio: 'ignore', env: { PATH: process.env.PATH } }),
  );
  for (const child of children) child.once('exit', endWithParent(child.pid as number, { signal: 'TERM' }));
  try {
    await delay(SETTLED_AFTER_MS / 4);
    return sum(children.map(({ pid }) => rssBytes(pid as number))) / MIB;
  } finally {
    for (const child of children) await end(child);
  }
};

/** Starts the system once, and measures each round of its rest. */
const measureIdle = async (dataDir: string, options: readonly string[], rounds: number) => {
  const { child, readyMs } = await start(dataDir, options);
  try {
    await delay(SETTLED_AFTER_MS);
    return { idle: await repeat(rounds, () => watchIdle(child.pid as number)), readyS: readyMs / MS };
  } finally {
    await end(child);
  }
};

const cpuRow = (path: string, idle: readonly Idle[], max: number): Row => ({
  ...{ path: `CPU when idle, ${path}`, unit: '% of one core', goal: { max } },
  ours: idle.map(({ nodeCpu }) => nodeCpu),
});

export const benchmark: Benchmark = {
  title: 'The whole system idle, against bare Node processes',
  run: async (bench) => {
    const dataDir = path.join(bench.dir, 'idle');
    // The first start creates the data.
    const together = await measureIdle(dataDir, [], bench.rounds);
    const apart = await measureIdle(dataDir, ['--processes'], bench.rounds);
    const processes = apart.idle[0]?.processes ?? 0;
    const bareMiB = await bareRss(processes);
    return {
      rows: [
        {
          ...{ path: 'idle system, RSS of its Node processes', unit: 'MiB', goal: { max: 2 } },
          ours: apart.idle.map(({ rssMiB }) => rssMiB),
          peer: apart.idle.map(() => bareMiB),
        },
        {
          ...{ path: 'time to ready, installed, data present', unit: 's', goal: { max: 10 } },
          ours: [apart.readyS],
        },
        cpuRow('Node processes', apart.idle, 3),
        cpuRow('all services in one process', together.idle, 1),
      ],
      notes: [
        `npm start -- --processes is ${processes} Node processes: the bootstrap, the run itself with simulator and mail catcher, and one per service; the peer is as many of node -e with an HTTP server.`,
        `CPU over ${IDLE_SECONDS} s of idleness. Each mode is started once.`,
      ],
    };
  },
};
