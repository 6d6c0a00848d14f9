import { loadVideoId } from '@tds/platform-simulator';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import type { DirectResult } from '../helpers/direct-transcripts.ts';
import type { LoadOptions, LoadResult } from '../helpers/http-load.ts';
import type { PlatformTime } from '../helpers/timed-simulator.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { cpuMicros, treeCpuMicros } from '../support/procfs.ts';
import { interleave } from '../support/rounds.ts';
import { median, percentile } from '../support/statistics.ts';

const ACCOUNTS = 200;
const VIDEOS_PER_ROUND = 100;
/** Enough for both sides to run compiled code: a process that has just started measures its compiler. */
const WARM_UP_VIDEOS = 1_500;
const AT_ONCE = [1, 8] as const;
const OK = 200;

type Measured = {
  readonly overheadMs: readonly number[];
  readonly platformMs: number;
  /** Microseconds per video, by process. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly hashes: Readonly<Record<string, string>>;
};

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly direct: Helper;
  readonly generator: Helper;
  readonly accounts: readonly Account[];
  /** Videos that nobody has asked for yet. */
  take(count: number): string[];
};

const targetOf = (videoId: string): string => `/v1/transcript?video_id=${videoId}&raw=1`;

/** The mean is subtracted: what the platform takes longer over one video counts as ours. */
const beyondPlatform = async (
  { system, bench }: Stage,
  work: () => Promise<{
    wallMs: ArrayLike<number>;
    hashes: Readonly<Record<string, string>>;
    cpu: Readonly<Record<string, number>>;
  }>,
): Promise<Measured> => {
  await system.platform.ask('take');
  const { wallMs, hashes, cpu } = await work();
  const { ms } = await system.platform.ask<PlatformTime>('take');
  const platformMs = ms / wallMs.length;
  bench.say(`  ${wallMs.length} videos, platform ${platformMs.toFixed(1)} ms each`);
  const overheadMs = Array.from(wallMs, (wall) => wall - platformMs);
  const perVideo = Object.entries(cpu).map(([name, micros]) => [name, micros / wallMs.length]);
  return { overheadMs, platformMs, hashes, cpu: Object.fromEntries(perVideo) };
};

const throughService = (stage: Stage, videoIds: readonly string[], atOnce: number): Promise<Measured> =>
  beyondPlatform(stage, async () => {
    const { system, accounts, generator, bench } = stage;
    const { postgres, nats } = await bench.servers();
    const cpuNow = (): Record<string, number> => ({
      ...Object.fromEntries(
        [...system.gateways, ...system.behind].map(({ service, pid }) => [service, cpuMicros([pid])]),
      ),
      Postgres: treeCpuMicros(postgres.pid),
      NATS: cpuMicros([nats.pid]),
    });
    const before = cpuNow();
    const requests = videoIds.map((videoId, index) => ({
      target: targetOf(videoId),
      key: accounts[index % accounts.length]?.key ?? '',
    }));
    const options: LoadOptions = {
      port: system.port,
      connections: atOnce,
      requests,
      status: OK,
      sampleEvery: 1,
    };
    const result = await generator.ask<LoadResult>('load', options);
    if (Object.keys(result.otherStatuses).length > 0)
      throw new Error(`cold reads failed: ${JSON.stringify(result.otherStatuses)}`);
    const cpu = Object.entries(cpuNow()).map(([name, micros]) => [name, micros - (before[name] ?? 0)]);
    return { wallMs: result.latenciesMs, hashes: result.hashes, cpu: Object.fromEntries(cpu) };
  });

const directly = (stage: Stage, videoIds: readonly string[], atOnce: number): Promise<Measured> =>
  beyondPlatform(stage, async () => {
    const asked = { videoIds, atOnce };
    const { cpuMicros: cpu, ...rest } = await stage.direct.ask<DirectResult>('transcribeAll', asked);
    return { ...rest, cpu: { 'direct script': cpu } };
  });

/** Both sides deliver the same videos, and have to deliver the same bytes. */
const compareHashes = (ours: Measured, peer: Measured): void => {
  for (const [videoId, hash] of Object.entries(peer.hashes)) {
    if (ours.hashes[targetOf(videoId)] !== hash) throw new Error(`${videoId} is not what the platform said`);
  }
};

const compare = async (stage: Stage, atOnce: number): Promise<{ rows: Row[]; note: string }> => {
  const { bench } = stage;
  const batches = Array.from({ length: bench.rounds }, () => stage.take(VIDEOS_PER_ROUND));
  const [ourBatches, peerBatches] = [[...batches], [...batches]];
  const runs = await interleave(bench.rounds, {
    ours: () => throughService(stage, ourBatches.shift() ?? [], atOnce),
    peer: () => directly(stage, peerBatches.shift() ?? [], atOnce),
  });
  runs.ours.forEach((one, round) => {
    const peer = runs.peer[round];
    if (peer) compareHashes(one, peer);
  });
  const at = (side: readonly Measured[], part: number) =>
    side.map(({ overheadMs }) => percentile(overheadMs, part));
  const cpuOf = (side: readonly Measured[]) =>
    Object.keys(side[0]?.cpu ?? {})
      .map((name) => `${name} ${median(side.map(({ cpu }) => cpu[name] ?? 0)).toFixed(0)}`)
      .join(' + ');
  const direct = (part: number) => median(at(runs.peer, part)).toFixed(1);
  const path = `cold overhead, ${atOnce} at a time`;
  // The goal is that of one: eight wait for each other, for there are fewer cores.
  const goal = (mostMs: number) => (atOnce === 1 ? { most: mostMs } : null);
  return {
    rows: [
      {
        path: `${path}, p50`,
        unit: 'ms',
        ours: at(runs.ours, 0.5),
        peer: null,
        goal: goal(8),
        cpu: `${cpuOf(runs.ours)}; ${cpuOf(runs.peer)}`,
      },
      { path: `${path}, p99`, unit: 'ms', ours: at(runs.ours, 0.99), peer: null, goal: goal(30) },
    ],
    note: `${path}: the direct script's own overhead (parsing, rendering) is ${direct(0.5)} ms in the median and ${direct(0.99)} ms at p99; the platform took ${median(runs.ours.map(({ platformMs }) => platformMs)).toFixed(1)} ms per video.`,
  };
};

const run = async (bench: Bench): Promise<Outcome> => {
  const system = await startBenchSystem(bench);
  const helpers: Helper[] = [];
  try {
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const direct = await startHelper('direct-transcripts', { PLATFORM_ORIGIN: system.platformOrigin });
    const generator = await startHelper('http-load');
    helpers.push(direct, generator);
    let nextVideo = 1_000;
    const take = (count: number) =>
      Array.from({ length: count }, () => {
        nextVideo += 1;
        return loadVideoId(nextVideo);
      });
    const stage: Stage = { bench, system, direct, generator, accounts, take };
    const warmUp = take(WARM_UP_VIDEOS);
    await throughService(stage, warmUp, 2);
    await directly(stage, warmUp, 2);
    const results = [];
    for (const atOnce of AT_ONCE) results.push(await compare(stage, atOnce));
    return {
      rows: results.flatMap(({ rows }) => rows),
      notes: [
        `${VIDEOS_PER_ROUND} videos per round that nobody had asked for, after ${WARM_UP_VIDEOS} to warm up; every answer's hash is that of the direct script's rendering.`,
        ...results.map(({ note }) => note),
      ],
    };
  } finally {
    for (const helper of helpers) await helper.stop();
    await system.stop();
  }
};

export const coldOverhead: Benchmark = {
  name: 'cold-overhead',
  title: 'Cold transcript: wall time minus the time of the platform',
  run,
};
