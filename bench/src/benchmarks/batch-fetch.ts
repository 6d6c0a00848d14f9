import { setTimeout as delay } from 'node:timers/promises';
import { loadVideoId } from '@tds/platform-simulator';
import { OPERATOR } from '@tds/service-kit/provisioning';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import type { BatchOptions, BatchResult, ReadOptions, ReadResult } from '../helpers/batch-load.ts';
import type { LoadOptions, LoadResult } from '../helpers/http-load.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { cpuMicros, treeCpuMicros } from '../support/procfs.ts';
import { interleave } from '../support/rounds.ts';
import { median, percentile, sum } from '../support/statistics.ts';

const BATCH = 500;
const WARM_UP_BATCHES = 4;
const BATCHES_BESIDE = 5;
/** The platform takes so long over each answer; a transcript takes two. */
const LATENCY_MS = 100;
const ANSWERS_PER_TRANSCRIPT = 2;
/** Fetches of batches that a process has under way. */
const AT_ONCE = 24;
const INTERACTIVE_READS = 100;
const IDLE_MS = 5_000;
const ACCOUNTS = 100;
const OK = 200;
const MS = 1_000;

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly batches: Helper;
  readonly generator: Helper;
  readonly accounts: readonly Account[];
  /** Microseconds of CPU that each takes in a millisecond while nobody asks for anything. */
  readonly idle: Readonly<Record<string, number>>;
  /** Videos that nobody has asked for yet. */
  take(count: number): string[];
};

type Cold = { readonly result: BatchResult; readonly cpu: Readonly<Record<string, number>> };

const cpuNow = async ({
  bench,
  system,
}: Pick<Stage, 'bench' | 'system'>): Promise<Record<string, number>> => {
  const { postgres, nats } = await bench.servers();
  return {
    ...Object.fromEntries(system.behind.map(({ service, pid }) => [service, cpuMicros([pid])])),
    Postgres: treeCpuMicros(postgres.pid),
    NATS: cpuMicros([nats.pid]),
  };
};

const idleCpu = async (parts: Pick<Stage, 'bench' | 'system'>): Promise<Record<string, number>> => {
  const before = await cpuNow(parts);
  await delay(IDLE_MS);
  const after = await cpuNow(parts);
  return Object.fromEntries(
    Object.entries(after).map(([name, micros]) => [name, (micros - (before[name] ?? 0)) / IDLE_MS]),
  );
};

const send = async (stage: Stage, batches: readonly (readonly string[])[]): Promise<BatchResult> => {
  const { nats } = await stage.bench.servers();
  const options: BatchOptions = { nats: nats.servers, seed: nats.seedOf(OPERATOR), batches };
  const result = await stage.batches.ask<BatchResult>('run', options);
  if (Object.keys(result.failures).length > 0)
    throw new Error(`rows that failed: ${JSON.stringify(result.failures)}`);
  return result;
};

/** Every row is fetched and charged. */
const cold = async (stage: Stage): Promise<Cold> => {
  const before = await cpuNow(stage);
  const result = await send(stage, [stage.take(BATCH)]);
  if (result.charged !== BATCH) throw new Error(`${result.charged} of ${BATCH} rows were charged`);
  const after = await cpuNow(stage);
  const cpu = Object.entries(after).map(([name, micros]) => {
    const idle = (stage.idle[name] ?? 0) * result.wallMs;
    return [name, Math.max(0, (micros - (before[name] ?? 0) - idle) / BATCH)];
  });
  stage.bench.say(
    `  ${BATCH} cold rows in ${result.wallMs.toFixed(0)} ms and ${result.calls} calls: ${cpu.map(([name, micros]) => `${name} ${Math.round(Number(micros))}`).join(', ')} µs each`,
  );
  return { result, cpu: Object.fromEntries(cpu) };
};

const compareCold = async (stage: Stage): Promise<Row[]> => {
  const runs: Cold[] = [];
  for (let round = 0; round < stage.bench.rounds; round += 1) runs.push(await cold(stage));
  const idealMs = (BATCH * ANSWERS_PER_TRANSCRIPT * LATENCY_MS) / AT_ONCE;
  const names = Object.keys(runs[0]?.cpu ?? {});
  return [
    {
      path: 'batch of 500 cold rows, beyond 1.05 times the ideal',
      unit: 'ms',
      ours: runs.map(({ result }) => result.wallMs - 1.05 * idealMs),
      peer: null,
      goal: { most: 300 },
      cpu: names
        .map((name) => `${name} ${median(runs.map(({ cpu }) => cpu[name] ?? 0)).toFixed(0)}`)
        .join(' + '),
    },
    {
      path: 'cold row of a batch, CPU of all processes beyond what they take idle',
      unit: 'ms',
      ours: runs.map(({ cpu }) => sum(Object.values(cpu)) / MS),
      peer: null,
      goal: { most: 3 },
    },
  ];
};

/** Hits against a script that reads the same objects and does nothing else. */
const compareCached = async (stage: Stage): Promise<Row> => {
  const videoIds = stage.take(BATCH);
  const { objectKeys } = await send(stage, [videoIds]);
  const { databases } = await stage.bench.servers();
  const options: ReadOptions = { databaseUrl: databases.objects?.ownerUrl ?? '', keys: objectKeys };
  const hits = async (): Promise<number> => {
    const result = await send(stage, [videoIds]);
    if (result.charged > 0) throw new Error(`${result.charged} cached rows were charged`);
    return result.wallMs;
  };
  const runs = await interleave(stage.bench.rounds, {
    ours: hits,
    peer: async () => (await stage.batches.ask<ReadResult>('readAll', options)).wallMs,
  });
  return { path: 'batch of 500 cached rows', unit: 'ms', ...runs, goal: { most: 3 } };
};

const interactive = async (stage: Stage): Promise<number[]> => {
  const { system, accounts, generator } = stage;
  const requests = stage.take(INTERACTIVE_READS).map((videoId, index) => ({
    target: `/v1/transcript?video_id=${videoId}&raw=1`,
    key: accounts[index % accounts.length]?.key ?? '',
  }));
  const options: LoadOptions = { port: system.port, connections: 1, requests, status: OK, sampleEvery: 1 };
  const { latenciesMs, otherStatuses } = await generator.ask<LoadResult>('load', options);
  if (Object.keys(otherStatuses).length > 0)
    throw new Error(`cold reads failed: ${JSON.stringify(otherStatuses)}`);
  return [...latenciesMs];
};

/** One cold read after the other, by itself and beside batches that are renewed until it has ended. */
const besideBatches = async (stage: Stage): Promise<number[]> => {
  let isOver = false;
  const keepSending = async () => {
    while (!isOver) await send(stage, [stage.take(BATCH)]);
  };
  const sending = Array.from({ length: BATCHES_BESIDE }, keepSending);
  const latencies = await interactive(stage).finally(() => {
    isOver = true;
  });
  await Promise.all(sending);
  return latencies;
};

const compareInteractive = async (stage: Stage): Promise<Row[]> => {
  const runs = await interleave(stage.bench.rounds, {
    ours: () => besideBatches(stage),
    peer: () => interactive(stage),
  });
  const at = (side: readonly number[][], part: number) => side.map((values) => percentile(values, part));
  const rowOf = (part: number, goal: Row['goal']): Row => ({
    path: `interactive cold read beside ${BATCHES_BESIDE} batches, p${part * 100}`,
    unit: 'ms',
    ours: at(runs.ours, part),
    peer: at(runs.peer, part),
    goal,
  });
  return [rowOf(0.5, null), rowOf(0.99, { most: 2 })];
};

const run = async (bench: Bench): Promise<Outcome> => {
  const system = await startBenchSystem(bench);
  const helpers: Helper[] = [];
  try {
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const batches = await startHelper('batch-load');
    const generator = await startHelper('http-load');
    helpers.push(batches, generator);
    let nextVideo = 1_000_000;
    const take = (count: number) =>
      Array.from({ length: count }, () => {
        nextVideo += 1;
        return loadVideoId(nextVideo);
      });
    const idle = await idleCpu({ bench, system });
    const stage: Stage = { bench, system, batches, generator, accounts, idle, take };
    for (let batch = 0; batch < WARM_UP_BATCHES; batch += 1) await send(stage, [take(BATCH)]);
    await interactive(stage);
    await system.platform.ask('setLatency', LATENCY_MS);
    return {
      rows: [...(await compareCold(stage)), await compareCached(stage), ...(await compareInteractive(stage))],
      notes: [
        `The platform takes ${LATENCY_MS} ms over each of the ${ANSWERS_PER_TRANSCRIPT} answers of a transcript, and ${AT_ONCE} fetches of batches are under way at once: a batch of ${BATCH} takes ${((BATCH * ANSWERS_PER_TRANSCRIPT * LATENCY_MS) / AT_ONCE).toFixed(0)} ms at the least. Every row is fetched and charged; ${WARM_UP_BATCHES} batches before, to warm up.`,
        'Cached rows: the peer reads the same objects, one after the other.',
        'Beside batches: reads one after the other through the gateway; the peer is the same without batches.',
      ],
    };
  } finally {
    for (const helper of helpers) await helper.stop();
    await system.stop();
  }
};

export const batchFetch: Benchmark = {
  name: 'batch-fetch',
  title: 'Batches: CPU and wall time of a row, and what they leave to others',
  run,
};
