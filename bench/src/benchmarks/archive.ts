import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { environments } from '@tds/local';
import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import type { Built, LargeJob, SpokenJob } from '../helpers/archive-neighbours.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { measure, row } from '../support/measure.ts';
import { rssBytes } from '../support/procfs.ts';
import { NO_OUTSIDE, startServiceProcess } from '../support/service-process.ts';
import { median } from '../support/statistics.ts';

const run = promisify(execFile);

const FILES = 500;
/** The cues of a video of twelve minutes: 30 KB as JSON. */
const CUES = 300;
const LARGE_FILE_BYTES = 2_150_000;
const LARGE_TRACKS = 10;
const LOOK_EVERY_MS = 50;
const MIB = 1_024 ** 2;
const MS = 1_000;

/** The peer: zips the files of one folder, whose pages are in memory. */
const zip = async (dir: string): Promise<number> => {
  const target = `${dir}.zip`;
  await rm(target, { force: true });
  const startedAt = performance.now();
  await run('zip', ['-6', '-q', '-r', target, '.'], { cwd: dir });
  return performance.now() - startedAt;
};

/** Packs the stored files of one folder into one file. */
const pack = (neighbours: Helper, dir: string) => neighbours.ask<number>('pack', dir);

/** The greatest memory of a process during some work, in MiB above its memory before. */
const growthDuring = async (pid: number, work: () => Promise<unknown>): Promise<number> => {
  const before = rssBytes(pid);
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, rssBytes(pid));
  }, LOOK_EVERY_MS);
  try {
    await work();
    return (most - before) / MIB;
  } finally {
    clearInterval(looking);
  }
};

const compare = async (bench: Bench, neighbours: Helper, pid: number): Promise<Outcome> => {
  const dir = path.join(bench.dir, 'archive');
  const spoken = await neighbours.ask<string>('addSpokenJob', {
    rows: FILES,
    cues: CUES,
    dir,
  } satisfies SpokenJob);
  const build = () => neighbours.ask<Built>('build', spoken);
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await build();
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await pack(neighbours, dir);
  const packed = await measure(bench, { ours: () => pack(neighbours, dir), peer: () => zip(dir) });
  const { ours, peer } = await measure(bench, { ours: build, peer: () => zip(dir) });
  const large = await neighbours.ask<string>('addLargeJob', {
    rows: FILES,
    tracks: LARGE_TRACKS,
    bytesOfEach: LARGE_FILE_BYTES,
  } satisfies LargeJob);
  let built: Built | undefined;
  const growth = await growthDuring(pid, async () => {
    built = await neighbours.ask<Built>('build', large);
  });
  const { bytes = 0, parts = 0, ms = 0 } = built ?? {};
  return {
    rows: [
      row(`${FILES} stored files packed into a ZIP`, 'ms', { ...packed, goal: { most: 0.05 } }),
      row(`archive of ${FILES} files, from the request to the stored ZIP`, 'ms', {
        ours: ours.map(({ ms: each }) => each),
        peer,
      }),
      row('memory above idle while 1 GB is packed', 'MiB', { ours: [growth], goal: { most: 96 } }),
    ],
    notes: [
      'Packed: the stored files, deflated, are read from one folder and written into one ZIP; zip -6 -q -r does the same with the files themselves. The pages of both are in memory.',
      `The whole request is getArchive: manifest, names, ${FILES} objects read from Postgres, a ZIP of ${(median(ours.map((each) => each.bytes)) / MIB).toFixed(1)} MiB stored in Postgres with fsync; zip writes a file without.`,
      `The large archive: ${(bytes / MIB).toFixed(0)} MiB in ${parts} parts, in ${(ms / MS).toFixed(1)} s.`,
    ],
  };
};

export const archive: Benchmark = {
  name: 'archive',
  title: 'An archive of 500 files, against zip -6',
  run: async (bench) => {
    const ENVIRONMENTS = JSON.stringify(await environments(await bench.servers(), NO_OUTSIDE));
    await using neighbours = await startHelper('archive-neighbours', { ENVIRONMENTS });
    await using service = await startServiceProcess(bench, 'archiver');
    return await compare(bench, neighbours, service.pid);
  },
};
