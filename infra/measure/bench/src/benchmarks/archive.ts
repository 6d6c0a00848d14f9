import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, writevSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateRawSync } from 'node:zlib';
import { unknownVideo } from '@tds/contracts';
import { type ZipEntry, zipParts } from '@tds/job-files';
import { environments } from '@tds/local';
import { renderTranscript } from '@tds/transcript-format';
import { type Benchmark, measure } from '../benchmark.ts';
import type { BuildResult, LargeJob } from '../helpers/archive-neighbours.ts';
import { startHelper } from '../support/helper.ts';
import { rssBytes } from '../support/procfs.ts';
import { NO_OUTSIDE, startServiceProcess } from '../support/service-process.ts';

const run = promisify(execFile);

const FILES = 500;
/** The cues of a video of twelve minutes: 30 KB as JSON. */
const CUES = 300;
const CUE_MS = 2_500;
const WORDS = 4_000;
const WORDS_PER_CUE = 7;
const WRITE_BATCH_SIZE = 200;
const LARGE_FILE_BYTES = 2_150_000;
const LARGE_TRACKS = 10;
const POLL_MS = 50;
const WARM_UPS = 8;
/** As large as the deflated file of a video of twelve minutes. */
const SMALL_FILE_BYTES = 12_000;
const MIB = 1_024 ** 2;
const MS = 1_000;

type StoredFile = Omit<ZipEntry, 'data'>;

const words = Array.from({ length: WORDS }, () =>
  randomBytes(2 + Math.floor(Math.random() * 3)).toString('hex'),
);
/** Few words are frequent, as in speech: the text compresses to a third. */
const word = (): string => words[Math.floor(Math.random() ** 3 * WORDS)] ?? '';

const spokenFile = (): Buffer => {
  const cues = Array.from({ length: CUES }, (_, n) => ({
    ...{ startMs: n * CUE_MS, durationMs: CUE_MS },
    text: Array.from({ length: WORDS_PER_CUE }, word).join(' '),
  }));
  const video = { ...unknownVideo('video000000'), title: 'T' };
  const language = { delivered: 'en', kind: 'manual' as const };
  const input = { video, language, cues };
  return Buffer.from(renderTranscript(input, 'json'));
};

/** Writes the transcripts of a job into one folder, and what is stored of them, deflated, into another. */
const writeFiles = async (plain: string, stored: string): Promise<StoredFile[]> => {
  for (const dir of [plain, stored]) await mkdir(dir, { recursive: true });
  const files: StoredFile[] = [];
  for (let position = 0; position < FILES; position += 1) {
    const [name, file] = [`2026-01-15 - What was said in part ${position}.json`, spokenFile()];
    await writeFile(path.join(plain, name), file);
    await writeFile(path.join(stored, name), deflateRawSync(file));
    files.push({ name, bytes: file.length, crc32: crc32(file), day: '2026-01-15' });
  }
  return files;
};

/** Read one after the other, as zip does. */
async function* readEntries(dir: string, files: readonly StoredFile[]): AsyncGenerator<ZipEntry> {
  for (const file of files) yield { ...file, data: readFileSync(path.join(dir, file.name)) };
}

/** Packs the stored files into one ZIP, which it writes a few hundred pieces at a time, as a buffered writer does. */
const pack = async (dir: string, files: readonly StoredFile[], target: string): Promise<void> => {
  const fd = openSync(target, 'w');
  let pieces: Uint8Array[] = [];
  for await (const zip of zipParts({ head: [], files: readEntries(dir, files) }))
    for await (const piece of zip) {
      if (pieces.push(piece) < WRITE_BATCH_SIZE) continue;
      writevSync(fd, pieces);
      pieces = [];
    }
  if (pieces.length > 0) writevSync(fd, pieces);
  closeSync(fd);
};

/** The milliseconds in which some work writes a new file. */
const measureTime = async (target: string, work: () => Promise<unknown>): Promise<number> => {
  await rm(target, { force: true });
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** The greatest memory of a process during some work, in MiB above its memory before. */
const growthDuring = async (pid: number, work: () => Promise<void>): Promise<number> => {
  const before = rssBytes(pid);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, rssBytes(pid));
  }, POLL_MS);
  await work().finally(() => clearInterval(timer));
  return (peak - before) / MIB;
};

export const benchmark: Benchmark = {
  title: 'An archive of 500 files, against zip -6',
  run: async (bench) => {
    const [plain, stored] = [path.join(bench.dir, 'archive'), path.join(bench.dir, 'archive-stored')];
    const files = await writeFiles(plain, stored);
    const [ours, theirs] = [`${stored}.zip`, `${plain}.zip`];
    const sides = {
      ours: () => measureTime(ours, () => pack(stored, files, ours)),
      peer: () => measureTime(theirs, () => run('zip', ['-6', '-q', '-r', theirs, '.'], { cwd: plain })),
    };
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await sides.ours();
    const packed = await measure(bench, sides);

    const ENVIRONMENTS = JSON.stringify(await environments(bench.servers, NO_OUTSIDE));
    await using neighbours = await startHelper('archive-neighbours', { ENVIRONMENTS });
    await using service = await startServiceProcess(bench, 'archiver');
    const add = (job: LargeJob) => neighbours.ask<string>('addJob', job);
    const small = await add({ rows: FILES, tracks: LARGE_TRACKS, bytesOfEach: SMALL_FILE_BYTES });
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await neighbours.ask<BuildResult>('build', small);
    const large = await add({ rows: FILES, tracks: LARGE_TRACKS, bytesOfEach: LARGE_FILE_BYTES });
    let built: BuildResult = { ms: 0, bytes: 0, parts: 0 };
    const growth = await growthDuring(service.pid, async () => {
      built = await neighbours.ask<BuildResult>('build', large);
    });
    return {
      rows: [
        { path: `${FILES} stored files packed into a ZIP`, unit: 'ms', ...packed, goal: { max: 0.05 } },
        { path: 'memory above idle while 1 GB is packed', unit: 'MiB', ours: [growth], goal: { max: 96 } },
      ],
      notes: [
        'Packed: the stored files, deflated, are read from one folder and written into one ZIP; zip -6 -q -r does the same with the files themselves. The pages of both are in memory.',
        `The large archive: ${(built.bytes / MIB).toFixed(0)} MiB in ${built.parts} parts, in ${(built.ms / MS).toFixed(1)} s, after ${WARM_UPS} small ones.`,
      ],
    };
  },
};
