import { type Bench, type Benchmark, measure, median, percentile, type Row } from '../benchmark.ts';
import type { DirectOptions, DirectResult } from '../helpers/direct-transcripts.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type CpuMeter, cpuText, createCpuMeter, medianCpu } from '../support/cpu-meter.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { createVideos, OK, sendLoad } from '../support/load.ts';

const ACCOUNTS = 200;
const VIDEOS_PER_ROUND = 40;
/** Enough for both sides to run compiled code: a process that has just started measures its compiler. */
const WARM_UP_VIDEOS = 1_200;
const WARM_UP_CONCURRENCY = 2;
/** The platform's time for each answer. */
const LATENCIES_MS = [0, 50];

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly direct: Helper;
  readonly generator: Helper;
  readonly accounts: readonly Account[];
  readonly take: (count: number) => string[];
};
type Transcribed = {
  readonly latenciesMs: ArrayLike<number>;
  readonly hashes: Readonly<Record<string, string>>;
};

const targetOf = (videoId: string): string => `/v1/transcript?video_id=${videoId}&raw=1`;

/** Subtracts the platform's median time: what it takes longer over one video counts as ours. Requests at the same time count once. */
const beyondPlatform = async ({ system }: Stage, work: () => Promise<Transcribed>) => {
  await system.platform.ask('takeBusy');
  const { latenciesMs, hashes } = await work();
  const busyMs = await system.platform.ask<number[]>('takeBusy');
  const platformMs = median(busyMs) * Math.round(busyMs.length / latenciesMs.length);
  return { overheadMs: Array.from(latenciesMs, (wall) => wall - platformMs), platformMs, hashes };
};
type Measured = Awaited<ReturnType<typeof beyondPlatform>>;

const throughService = (stage: Stage, videoIds: readonly string[], concurrency = 1): Promise<Measured> =>
  beyondPlatform(stage, () => {
    const { system, accounts, generator } = stage;
    const requests = videoIds.map((videoId, index) => ({
      target: targetOf(videoId),
      key: accounts[index % accounts.length]?.key ?? '',
    }));
    const load = { port: system.port, connections: concurrency, requests, status: OK, sampleEvery: 1 };
    return sendLoad(generator, {}, load);
  });

const directly = (stage: Stage, videoIds: readonly string[], concurrency = 1): Promise<Measured> =>
  beyondPlatform(stage, () =>
    stage.direct.ask<DirectResult>('transcribeAll', { videoIds, concurrency } satisfies DirectOptions),
  );

/** Both sides deliver the same videos, and must deliver the same bytes. */
const compareHashes = (ours: Measured, peer: Measured | undefined): void => {
  for (const [videoId, hash] of Object.entries(peer?.hashes ?? {}))
    if (ours.hashes[targetOf(videoId)] !== hash)
      throw new Error(`${videoId} differs from the platform's answer`);
};

const compareAt = async (stage: Stage, meter: CpuMeter, latencyMs: number): Promise<Row[]> => {
  const { bench, system, take } = stage;
  await system.platform.ask('setLatency', latencyMs);
  const batches = Array.from({ length: bench.rounds }, () => take(VIDEOS_PER_ROUND));
  const [ourBatches, peerBatches] = [[...batches], [...batches]];
  const { ours, peer } = await measure(bench, {
    ours: () => meter.during(() => throughService(stage, ourBatches.shift() ?? [])),
    peer: () => directly(stage, peerBatches.shift() ?? []),
  });
  for (const [round, { result }] of ours.entries()) compareHashes(result, peer[round]);
  const sides = (part: number) => ({
    ours: ours.map(({ result }) => percentile(result.overheadMs, part)),
    peer: peer.map(({ overheadMs }) => percentile(overheadMs, part)),
  });
  const path = `cold overhead at ${latencyMs} ms an answer`;
  const cpu = cpuText(medianCpu(ours.map((one) => one.cpu)), VIDEOS_PER_ROUND);
  return [
    { path: `${path}, p50`, unit: 'ms', ...sides(0.5), goal: { max: 8 }, cpu },
    { path: `${path}, p99`, unit: 'ms', ours: sides(0.99).ours },
  ];
};

export const benchmark: Benchmark = {
  title: 'Cold transcript: wall time minus the time of the platform',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    await using direct = await startHelper('direct-transcripts', { PLATFORM_ORIGIN: system.platformOrigin });
    await using generator = await startHelper('http-load');
    const accounts = await seedAccounts(bench.servers, 'paid', ACCOUNTS);
    const take = createVideos('coldOverhead');
    const stage: Stage = { bench, system, direct, generator, accounts, take };
    const warmUp = take(WARM_UP_VIDEOS);
    await throughService(stage, warmUp, WARM_UP_CONCURRENCY);
    await directly(stage, warmUp, WARM_UP_CONCURRENCY);
    const meter = await createCpuMeter(bench, system);
    // While the meter watched the idle system, V8 dropped compiled code.
    await throughService(stage, take(WARM_UP_VIDEOS / 3), WARM_UP_CONCURRENCY);
    const rows: Row[] = [];
    for (const latencyMs of LATENCIES_MS) rows.push(...(await compareAt(stage, meter, latencyMs)));
    return {
      rows,
      notes: [
        `${VIDEOS_PER_ROUND} new videos per round, one at a time, after ${WARM_UP_VIDEOS} to warm up; every answer's hash is that of the direct script's rendering. The peer is the direct script's own overhead: parsing and rendering.`,
      ],
    };
  },
};
