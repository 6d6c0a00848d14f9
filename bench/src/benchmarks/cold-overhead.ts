import type { Bench, Benchmark, Row } from '../benchmark.ts';
import type { DirectResult } from '../helpers/direct-transcripts.ts';
import type { PlatformTime } from '../helpers/timed-simulator.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type Cpu, cpuSince, createCpuReader } from '../support/cpu-meter.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { createVideos, OK, sendLoad } from '../support/load.ts';
import { measure, row } from '../support/measure.ts';
import { median, percentile } from '../support/statistics.ts';

const ACCOUNTS = 200;
const VIDEOS_PER_ROUND = 100;
/** Enough for both sides to run compiled code: a process that has just started measures its compiler. */
const WARM_UP_VIDEOS = 1_500;
const AT_ONCE = [1, 8] as const;

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly direct: Helper;
  readonly generator: Helper;
  readonly accounts: readonly Account[];
};
type Transcribed = {
  readonly wallMs: ArrayLike<number>;
  readonly hashes: Readonly<Record<string, string>>;
  readonly cpu: Cpu;
};

const targetOf = (videoId: string): string => `/v1/transcript?video_id=${videoId}&raw=1`;

/** Subtracts the platform's mean time: what it takes longer over one video counts as ours. CPU is per video. */
const beyondPlatform = async ({ system, bench }: Stage, work: () => Promise<Transcribed>) => {
  await system.platform.ask('take');
  const { wallMs, hashes, cpu } = await work();
  const { ms } = await system.platform.ask<PlatformTime>('take');
  const platformMs = ms / wallMs.length;
  bench.say(`  ${wallMs.length} videos, platform ${platformMs.toFixed(1)} ms each`);
  const perVideo = Object.entries(cpu).map(([name, micros]) => [name, micros / wallMs.length]);
  const overheadMs = Array.from(wallMs, (wall) => wall - platformMs);
  return { overheadMs, platformMs, hashes, cpu: Object.fromEntries(perVideo) as Cpu };
};
type Measured = Awaited<ReturnType<typeof beyondPlatform>>;

const throughService = (stage: Stage, videoIds: readonly string[], atOnce: number): Promise<Measured> =>
  beyondPlatform(stage, async () => {
    const { system, accounts, generator, bench } = stage;
    const readCpu = await createCpuReader(bench, system);
    const before = readCpu();
    const requests = videoIds.map((videoId, index) => ({
      target: targetOf(videoId),
      key: accounts[index % accounts.length]?.key ?? '',
    }));
    const load = { port: system.port, connections: atOnce, requests, status: OK, sampleEvery: 1 };
    const { latenciesMs, hashes } = await sendLoad(generator, [], load);
    return { wallMs: latenciesMs, hashes, cpu: cpuSince(before, readCpu()) };
  });

const directly = (stage: Stage, videoIds: readonly string[], atOnce: number): Promise<Measured> =>
  beyondPlatform(stage, async () => {
    const request = { videoIds, atOnce };
    const { cpuMicros, ...rest } = await stage.direct.ask<DirectResult>('transcribeAll', request);
    return { ...rest, cpu: { 'direct script': cpuMicros } };
  });

/** Both sides deliver the same videos, and must deliver the same bytes. */
const compareHashes = (ours: Measured, peer: Measured | undefined): void => {
  for (const [videoId, hash] of Object.entries(peer?.hashes ?? {}))
    if (ours.hashes[targetOf(videoId)] !== hash)
      throw new Error(`${videoId} differs from the platform's answer`);
};

const compare = async (stage: Stage, atOnce: number, take: (count: number) => string[]) => {
  const batches = Array.from({ length: stage.bench.rounds }, () => take(VIDEOS_PER_ROUND));
  const [ourBatches, peerBatches] = [[...batches], [...batches]];
  const { ours, peer } = await measure(stage.bench, {
    ours: () => throughService(stage, ourBatches.shift() ?? [], atOnce),
    peer: () => directly(stage, peerBatches.shift() ?? [], atOnce),
  });
  for (const [round, one] of ours.entries()) compareHashes(one, peer[round]);
  const at = (side: readonly Measured[], part: number) =>
    side.map(({ overheadMs }) => percentile(overheadMs, part));
  const cpuOf = (side: readonly Measured[]) =>
    Object.keys(side[0]?.cpu ?? {})
      .map((name) => `${name} ${median(side.map(({ cpu }) => cpu[name] ?? 0)).toFixed(0)}`)
      .join(' + ');
  const direct = (part: number) => median(at(peer, part)).toFixed(1);
  const platformMs = median(ours.map((one) => one.platformMs)).toFixed(1);
  const path = `cold overhead, ${atOnce} at a time`;
  // Only one at a time has a goal: eight wait for each other, because there are fewer cores.
  const goal = (most: number) => (atOnce === 1 ? { most } : null);
  const rows: Row[] = [
    row(`${path}, p50`, 'ms', { ours: at(ours, 0.5), goal: goal(8), cpu: `${cpuOf(ours)}; ${cpuOf(peer)}` }),
    row(`${path}, p99`, 'ms', { ours: at(ours, 0.99), goal: goal(30) }),
  ];
  const note = `${path}: the direct script's own overhead (parsing, rendering) is ${direct(0.5)} ms in the median and ${direct(0.99)} ms at p99; the platform took ${platformMs} ms per video.`;
  return { rows, note };
};

export const coldOverhead: Benchmark = {
  name: 'cold-overhead',
  title: 'Cold transcript: wall time minus the time of the platform',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    await using direct = await startHelper('direct-transcripts', { PLATFORM_ORIGIN: system.platformOrigin });
    await using generator = await startHelper('http-load');
    const accounts = await seedAccounts(await bench.servers(), 'paid', ACCOUNTS);
    const stage: Stage = { bench, system, direct, generator, accounts };
    const take = createVideos(1_000);
    const warmUp = take(WARM_UP_VIDEOS);
    await throughService(stage, warmUp, 2);
    await directly(stage, warmUp, 2);
    const results = [];
    for (const atOnce of AT_ONCE) results.push(await compare(stage, atOnce, take));
    return {
      rows: results.flatMap(({ rows }) => rows),
      notes: [
        `${VIDEOS_PER_ROUND} new videos per round, after ${WARM_UP_VIDEOS} to warm up; every answer's hash is that of the direct script's rendering.`,
        ...results.map(({ note }) => note),
      ],
    };
  },
};
