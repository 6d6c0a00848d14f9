import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { environments, type Servers } from '@tds/local';
import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import type { Built, LargeJob, SpokenJob } from '../helpers/archive-neighbours.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { rssBytes } from '../support/procfs.ts';
import { interleave } from '../support/rounds.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { median } from '../support/statistics.ts';

const run = promisify(execFile);

const FILES = 500;
/** About as many as a video of twelve minutes has: 30 KB as json. */
const CUES = 300;
const LARGE_FILE_BYTES = 2_150_000;
const LARGE_TRACKS = 10;
const LOOK_EVERY_MS = 50;
const MIB = 1_024 ** 2;
const MS = 1_000;

const startNeighbours = async (servers: Servers): Promise<Helper> => {
  const outside = {
    port: 0,
    platformOrigin: 'http://127.0.0.1:9',
    smtpUrl: 'smtp://127.0.0.1:9',
    paymentOrigin: 'http://127.0.0.1:9',
  };
  return startHelper('archive-neighbours', {
    ENVIRONMENTS: JSON.stringify(await environments(servers, outside)),
  });
};

/** What everybody would do: the files from one folder, whose pages are in memory. */
const zip = async (dir: string): Promise<number> => {
  const target = `${dir}.zip`;
  await rm(target, { force: true });
  const startedAt = performance.now();
  await run('zip', ['-6', '-q', '-r', target, '.'], { cwd: dir });
  return performance.now() - startedAt;
};

/** The same from the files as they are stored: read from one folder, and packed into one file. */
const pack = (neighbours: Helper, dir: string) => neighbours.ask<number>('pack', dir);

/** The most memory that a process holds during some work, above what it held before (MiB). */
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

const measure = async (bench: Bench, neighbours: Helper, pid: number): Promise<Outcome> => {
  const dir = path.join(bench.dir, 'archive');
  const spoken = await neighbours.ask<string>('addSpokenJob', {
    ...{ rows: FILES, cues: CUES, dir },
  } satisfies SpokenJob);
  const build = () => neighbours.ask<Built>('build', spoken);
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await build();
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await pack(neighbours, dir);
  const packed = await interleave(bench.rounds, { ours: () => pack(neighbours, dir), peer: () => zip(dir) });
  const { ours, peer } = await interleave(bench.rounds, { ours: build, peer: () => zip(dir) });
  const large = await neighbours.ask<string>('addLargeJob', {
    ...{ rows: FILES, tracks: LARGE_TRACKS, bytesOfEach: LARGE_FILE_BYTES },
  } satisfies LargeJob);
  let built: Built | undefined;
  const growth = await growthDuring(pid, async () => {
    built = await neighbours.ask<Built>('build', large);
  });
  const { bytes = 0, parts = 0, ms = 0 } = built ?? {};
  return {
    rows: [
      {
        path: `${FILES} stored files packed into a ZIP`,
        unit: 'ms',
        ours: packed.ours,
        peer: packed.peer,
        goal: { most: 0.05 },
      },
      {
        path: `archive of ${FILES} files, from the request to the stored ZIP`,
        unit: 'ms',
        ours: ours.map(({ ms: each }) => each),
        peer,
        goal: null,
      },
      {
        path: 'memory above idle while 1 GB is packed',
        unit: 'MiB',
        ours: [growth],
        peer: null,
        goal: { most: 96 },
      },
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
    const servers = await bench.servers();
    const [neighbours, service] = await Promise.all([
      startNeighbours(servers),
      startServiceProcess({
        ...{ service: 'archiver', servers, port: 0, platformOrigin: 'http://127.0.0.1:9' },
        ...{ dir: bench.dir, profileDir: bench.profileDir },
      }),
    ]);
    try {
      return await measure(bench, neighbours, service.pid);
    } finally {
      await service.stop();
      await neighbours.stop();
    }
  },
};
