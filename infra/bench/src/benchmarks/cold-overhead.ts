import { type Bench, type Benchmark, measure, median, percentile } from '../benchmark.ts';
import type { DirectOptions, DirectResult } from '../helpers/direct-transcripts.ts';
import type { PlatformTime } from '../helpers/timed-simulator.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { createVideos, OK, sendLoad } from '../support/load.ts';

const ACCOUNTS = 200;
const VIDEOS_PER_ROUND = 100;
/** Enough for both sides to run compiled code: a process that has just started measures its compiler. */
const WARM_UP_VIDEOS = 1_500;
const WARM_UP_AT_ONCE = 2;

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly direct: Helper;
  readonly generator: Helper;
  readonly accounts: readonly Account[];
};
type Transcribed = {
  readonly latenciesMs: ArrayLike<number>;
  readonly hashes: Readonly<Record<string, string>>;
};

const targetOf = (videoId: string): string => `/v1/transcript?video_id=${videoId}&raw=1`;

/** Subtracts the platform's mean time: what it takes longer over one video counts as ours. */
const beyondPlatform = async ({ system }: Stage, work: () => Promise<Transcribed>) => {
  await system.platform.ask('take');
  const { latenciesMs, hashes } = await work();
  const { ms } = await system.platform.ask<PlatformTime>('take');
  const platformMs = ms / latenciesMs.length;
  return { overheadMs: Array.from(latenciesMs, (wall) => wall - platformMs), platformMs, hashes };
};
type Measured = Awaited<ReturnType<typeof beyondPlatform>>;

const throughService = (stage: Stage, videoIds: readonly string[], atOnce = 1): Promise<Measured> =>
  beyondPlatform(stage, () => {
    const { system, accounts, generator } = stage;
    const requests = videoIds.map((videoId, index) => ({
      target: targetOf(videoId),
      key: accounts[index % accounts.length]?.key ?? '',
    }));
    const load = { port: system.port, connections: atOnce, requests, status: OK, sampleEvery: 1 };
    return sendLoad(generator, {}, load);
  });

const directly = (stage: Stage, videoIds: readonly string[], atOnce = 1): Promise<Measured> =>
  beyondPlatform(stage, () =>
    stage.direct.ask<DirectResult>('transcribeAll', { videoIds, atOnce } satisfies DirectOptions),
  );

/** Both sides deliver the same videos, and must deliver the same bytes. */
const compareHashes = (ours: Measured, peer: Measured | undefined): void => {
  for (const [videoId, hash] of Object.entries(peer?.hashes ?? {}))
    if (ours.hashes[targetOf(videoId)] !== hash)
      throw new Error(`${videoId} differs from the platform's answer`);
};

export const benchmark: Benchmark = {
  title: 'Cold transcript: wall time minus the time of the platform',
  run: async (bench) => {
    await using system = await startBenchSystem(bench);
    await using direct = await startHelper('direct-transcripts', { PLATFORM_ORIGIN: system.platformOrigin });
    await using generator = await startHelper('http-load');
    const accounts = await seedAccounts(bench.servers, 'paid', ACCOUNTS);
    const stage: Stage = { bench, system, direct, generator, accounts };
    const take = createVideos(1_000);
    const warmUp = take(WARM_UP_VIDEOS);
    await throughService(stage, warmUp, WARM_UP_AT_ONCE);
    await directly(stage, warmUp, WARM_UP_AT_ONCE);
    const batches = Array.from({ length: bench.rounds }, () => take(VIDEOS_PER_ROUND));
    const [ourBatches, peerBatches] = [[...batches], [...batches]];
    const { ours, peer } = await measure(bench, {
      ours: () => throughService(stage, ourBatches.shift() ?? []),
      peer: () => directly(stage, peerBatches.shift() ?? []),
    });
    for (const [round, one] of ours.entries()) compareHashes(one, peer[round]);
    const at = (side: readonly Measured[], part: number) =>
      side.map(({ overheadMs }) => percentile(overheadMs, part));
    const directMs = (part: number) => median(at(peer, part)).toFixed(1);
    const platformMs = median(ours.map((one) => one.platformMs)).toFixed(1);
    return {
      rows: [
        { path: 'cold overhead, p50', unit: 'ms', ours: at(ours, 0.5), goal: { most: 8 } },
        { path: 'cold overhead, p99', unit: 'ms', ours: at(ours, 0.99), goal: { most: 30 } },
      ],
      notes: [
        `${VIDEOS_PER_ROUND} new videos per round, one at a time, after ${WARM_UP_VIDEOS} to warm up; every answer's hash is that of the direct script's rendering.`,
        `The direct script's own overhead (parsing, rendering) is ${directMs(0.5)} ms in the median and ${directMs(0.99)} ms at p99; the platform took ${platformMs} ms per video.`,
      ],
    };
  },
};
