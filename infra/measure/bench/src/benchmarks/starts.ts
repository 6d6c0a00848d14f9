import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '@tds/local';
import { workspaceRoot } from '@tds/servers';
import { type Bench, type Benchmark, measure, pick, type Row, sum } from '../benchmark.ts';
import { cpuMicros, pssBytes } from '../support/procfs.ts';
import { startServiceProcess } from '../support/service-process.ts';

/** By then the work of the start is done. */
const SETTLED_AFTER_MS = 10_000;
const [MIB, MICROS, MS] = [1_024 ** 2, 1_000_000, 1_000];
const DOCKER = path.join(workspaceRoot, 'infra/deploy/docker');

/** What the Dockerfile copies into the image, with MiB of it. */
const buildImage = (bench: Bench): { readonly image: string; readonly size: number } => {
  const image = path.join(bench.dir, 'image');
  const [, words = ''] =
    /bundle\.ts \/services (.*) \\$/m.exec(readFileSync(path.join(DOCKER, 'Dockerfile'), 'utf8')) ?? [];
  const programs = words.split(' ').map((word) => word.replaceAll("'", ''));
  execFileSync(process.execPath, [path.join(DOCKER, 'src/bundle.ts'), image, ...programs]);
  return { image, size: Number(execFileSync('du', ['-sm', image], { encoding: 'utf8' }).split('\t')[0]) };
};

/** Starts every service, one after the other. */
const startAll = async (bench: Bench, image?: string) => {
  await using started = new AsyncDisposableStack();
  const pids: number[] = [];
  let cpu = 0;
  for (const service of serviceNames) {
    const { pid } = started.use(await startServiceProcess(bench, service, { image }));
    cpu += cpuMicros([pid]);
    pids.push(pid);
  }
  await delay(SETTLED_AFTER_MS);
  return { cpu: cpu / MICROS, memory: sum(pids.map(pssBytes)) / MIB };
};

export const benchmark: Benchmark = {
  title: 'A start of every service as its image has it, against one from sources',
  run: async (bench) => {
    const { image, size } = buildImage(bench);
    const sides = { ours: () => startAll(bench, image), peer: () => startAll(bench) };
    const rounds = await measure(bench, { ...sides, warmUp: true });
    const row = (name: keyof (typeof rounds.ours)[0], path: string, unit: string, max: number): Row => ({
      ...{ path, unit, goal: { max } },
      ...pick(rounds, (one) => one[name]),
    });
    return {
      rows: [
        row('cpu', 'start to ready, CPU of eleven services', 's', 0.7),
        row('memory', 'memory at rest, PSS', 'MiB', 0.8),
        { path: 'programs and data in the image', unit: 'MiB', ours: [size], goal: { max: 172 } },
      ],
      notes: [
        `Both sides have a warm compile cache; memory ${SETTLED_AFTER_MS / MS} s after the last is ready.`,
      ],
    };
  },
};
