import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writevSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import {
  archiver,
  bulkOrchestrator,
  type JobSummary,
  type ManifestRow,
  serviceError,
  transcriptFetcher,
} from '@tds/contracts';
import { type ZipEntry, zipParts } from '@tds/job-files';
import { startService } from '@tds/kit';
import { callerOf, fakeOf } from '@tds/kit/testing';
import { renderTranscript } from '@tds/transcript-format';
import { serveHelper } from '../support/helper.ts';

/** The services that the archiver calls, with the benchmark's jobs and files, and its caller. */

const TIME = '2026-01-15T11:00:00.000Z';
const PATIENCE_MS = 600_000;
const WORDS = 4_000;
const WORDS_PER_CUE = 7;
const CUE_MS = 2_500;
const WRITTEN_AT_ONCE = 200;

type Stored = {
  readonly objectKey: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: number;
};
type Job = { readonly job: JobSummary; readonly rows: ManifestRow[] };

const files = new Map<string, Stored>();
const jobs = new Map<string, Job>();
const accountId = randomUUID();

const find = ({ jobId }: { jobId: string }): Job & { readonly version: number } => {
  const found = jobs.get(jobId);
  if (!found) throw serviceError('job_not_found');
  return { ...found, version: 1 };
};
const orchestrator = fakeOf(bulkOrchestrator, {
  getJobSummary: async (request) => find(request),
  getJobManifest: async (request) => find(request),
});
const fetcher = fakeOf(transcriptFetcher, {
  renderTranscripts: async ({ transcripts }) => ({
    rows: transcripts.map(({ transcriptId }) => ({
      ...{ transcriptId, state: 'rendered' as const },
      ...(files.get(transcriptId) as Stored),
    })),
  }),
});
const caller = callerOf(archiver);
/** Each connects as the user of the service that it replaces, without a database. */
const environments = JSON.parse(process.env.ENVIRONMENTS ?? '{}') as Record<string, NodeJS.ProcessEnv>;
for (const { service } of [orchestrator, fetcher, caller]) {
  const { DATABASE_URL: _, ...environment } = environments[service.surface.name] ?? {};
  await startService(service, { LOG_LEVEL: 'warn', ...environment }, { processMetrics: false });
}

const words = Array.from({ length: WORDS }, () =>
  randomBytes(2 + Math.floor(Math.random() * 3)).toString('hex'),
);
/** Few words are frequent, as in speech: the text compresses to a third. */
const word = (): string => words[Math.floor(Math.random() ** 3 * WORDS)] ?? '';

const spokenFile = (cueCount: number): Buffer => {
  const cues = Array.from({ length: cueCount }, (_, n) => ({
    ...{ startMs: n * CUE_MS, durationMs: CUE_MS },
    text: Array.from({ length: WORDS_PER_CUE }, word).join(' '),
  }));
  const video = { id: 'video000000', title: 'T', channel_id: null, channel_title: null };
  const language = { delivered: 'en', kind: 'manual' as const };
  const input = { video: { ...video, published_at: null, duration: null }, language, cues };
  return Buffer.from(renderTranscript(input, 'json'));
};

/** The files of the spoken job as they lie in the folder of stored ones. */
const spoken: { readonly name: string; readonly bytes: number; readonly crc32: number }[] = [];

const storedDir = (dir: string): string => `${dir}-stored`;

/** Read one after the other, as zip does. */
async function* storedEntries(dir: string): AsyncGenerator<ZipEntry> {
  for (const { name, ...file } of spoken) yield { ...file, name, data: readFileSync(path.join(dir, name)) };
}

/** Writes pieces to a file, a few hundred at a time, as a buffered writer does. */
const writeAll = async (fd: number, zip: AsyncIterable<Uint8Array>): Promise<void> => {
  let pieces: Uint8Array[] = [];
  for await (const piece of zip) {
    if (pieces.push(piece) < WRITTEN_AT_ONCE) continue;
    writevSync(fd, pieces);
    pieces = [];
  }
  if (pieces.length > 0) writevSync(fd, pieces);
};

const keep = async (transcriptId: string, file: Buffer): Promise<Stored> => {
  const objectKey = `rendered/${transcriptId}/json`;
  await fetcher.kit().objects.put(objectKey, deflateRawSync(file));
  const sha256 = createHash('sha256').update(file).digest('hex');
  const stored = { objectKey, bytes: file.length, sha256, crc32: crc32(file) };
  files.set(transcriptId, stored);
  return stored;
};

const rowOf = (
  position: number,
  transcriptId: string,
  { objectKey, bytes, sha256 }: Stored,
): ManifestRow => ({
  ...{ position, video_id: `video${String(position).padStart(6, '0')}`, status: 'fetched' },
  ...{ title: `What was said in part ${position}`, published_at: TIME, requested_language: 'en' },
  ...{ delivered_language: 'en', language: 'en', caption_kind: 'manual', fallback: false },
  ...{ translation: 'not_requested', attempts: 1, credits_charged: 1, strategy: 'web' },
  ...{ error_class: null, error_code: null, transcript_id: transcriptId },
  ...{ message: null, retryable: null, waiting_for: null, next_attempt_at: null, crc32: 0 },
  ...{ object_key: objectKey, bytes, sha256 },
});

const addJob = (rows: ManifestRow[]): string => {
  const counts = { total: rows.length, pending: 0, processing: 0, cached: 0, fetched: rows.length };
  const job: JobSummary = {
    ...{ resumes_at: null, name: null, metadata: {} },
    ...{ id: randomUUID(), status: 'completed', pause_reason: null, error: null, format: 'json' },
    ...{ source: { kind: 'video_ids', input: null }, language: 'en', fallback: true, monitor_id: null },
    ...{ counts: { ...counts, error: 0, cancelled: 0 }, credits: { reserved: 0, charged: rows.length } },
    ...{ webhook: { url: null, status: 'none' }, created_at: TIME, started_at: TIME, finished_at: TIME },
  };
  jobs.set(job.id, { job, rows });
  return job.id;
};

export type SpokenJob = { readonly rows: number; readonly cues: number; readonly dir: string };
export type LargeJob = { readonly rows: number; readonly tracks: number; readonly bytesOfEach: number };
export type Built = { readonly ms: number; readonly bytes: number; readonly parts: number };

serveHelper({
  /** A job of spoken text, whose files lie in `dir` as well. Answers its id. */
  addSpokenJob: async ({ rows, cues, dir }: SpokenJob): Promise<string> => {
    for (const each of [dir, storedDir(dir)]) await mkdir(each, { recursive: true });
    const made: ManifestRow[] = [];
    for (let position = 0; position < rows; position += 1) {
      const [id, file] = [randomUUID(), spokenFile(cues)];
      made.push(rowOf(position, id, await keep(id, file)));
      const name = `2026-01-15 - What was said in part ${position}.json`;
      await writeFile(path.join(dir, name), file);
      await writeFile(path.join(storedDir(dir), name), deflateRawSync(file));
      spoken.push({ name, bytes: file.length, crc32: crc32(file) });
    }
    return addJob(made);
  },
  /** A job of files that cannot be compressed, few tracks over and over. Answers its id. */
  addLargeJob: async ({ rows, tracks, bytesOfEach }: LargeJob): Promise<string> => {
    const ids = Array.from({ length: tracks }, () => randomUUID());
    for (const id of ids) await keep(id, randomBytes(bytesOfEach));
    return addJob(
      Array.from({ length: rows }, (_, position) => {
        const id = ids[position % tracks] as string;
        return rowOf(position, id, files.get(id) as Stored);
      }),
    );
  },
  /** Packs the stored files of the spoken job; answers how long that took. */
  pack: async (dir: string): Promise<number> => {
    const target = `${dir}.packed.zip`;
    await rm(target, { force: true });
    const startedAt = performance.now();
    const fd = openSync(target, 'w');
    for await (const zip of zipParts({ head: [], files: storedEntries(storedDir(dir)) }))
      await writeAll(fd, zip);
    closeSync(fd);
    return performance.now() - startedAt;
  },
  /** Rebuilds the archive, and waits until it is complete. */
  build: async (jobId: string): Promise<Built> => {
    const startedAt = performance.now();
    const context = { requestId: randomUUID(), accountId, signal: AbortSignal.timeout(PATIENCE_MS) };
    const ask = (rebuild: boolean) =>
      caller.call(
        archiver.getArchive,
        { accountId, jobId, formats: [], rebuild, startsNothing: false, tier: 'paid', waitMs: 20_000 },
        context,
      );
    let reply = await ask(true);
    while (reply.state === 'queued') reply = await ask(false);
    const ms = performance.now() - startedAt;
    return { ms, bytes: reply.parts.reduce((sum, { bytes }) => sum + bytes, 0), parts: reply.parts.length };
  },
});
