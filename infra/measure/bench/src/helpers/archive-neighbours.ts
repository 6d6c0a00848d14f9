import { randomBytes, randomUUID } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import {
  archiver,
  bulkOrchestrator,
  type JobSummary,
  type ManifestRow,
  transcriptFetcher,
} from '@tds/contracts';
import { newDelivery } from '@tds/contracts/testing';
import { serviceError } from '@tds/errors';
import { startService } from '@tds/kit';
import { createCaller, createFake } from '@tds/kit/testing';
import { serveHelper } from '../support/helper.ts';
import { sha256 } from '../support/http-connection.ts';
import { completedJob } from '../support/running-job.ts';

/** The services that the archiver calls, with the benchmark's jobs and files, and its caller. */

const TIME = '2026-01-15T11:00:00.000Z';
const TIMEOUT_MS = 600_000;

type StoredFile = {
  readonly objectKey: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: number;
};
type Job = { readonly job: JobSummary; readonly rows: ManifestRow[] };

const files = new Map<string, StoredFile>();
const jobs = new Map<string, Job>();
const accountId = randomUUID();

const find = ({ jobId }: { jobId: string }): Job & { readonly version: number } => {
  const entry = jobs.get(jobId);
  if (!entry) throw serviceError('job_not_found');
  return { ...entry, version: 1 };
};
const orchestrator = createFake(bulkOrchestrator, {
  getJobSummary: async (request) => find(request),
  getJobManifest: async (request) => find(request),
});
const fetcher = createFake(transcriptFetcher, {
  renderTranscripts: async ({ transcripts }) => ({
    rows: transcripts.map(({ transcriptId }) => ({
      ...{ transcriptId, state: 'rendered' as const },
      ...(files.get(transcriptId) as StoredFile),
    })),
  }),
});
const caller = createCaller(archiver);
/** Each connects as the user of the service that it replaces, without a database. */
const environments = JSON.parse(process.env.ENVIRONMENTS ?? '{}') as Record<string, NodeJS.ProcessEnv>;
for (const { service } of [orchestrator, fetcher, caller]) {
  const { DATABASE_URL: _, ...environment } = environments[service.surface.name] ?? {};
  await startService(service, { LOG_LEVEL: 'warn', ...environment }, { processMetrics: false });
}

const storeFile = async (transcriptId: string, file: Buffer): Promise<void> => {
  const objectKey = `rendered/${transcriptId}/json`;
  await fetcher.kit().objects.put(objectKey, deflateRawSync(file));
  const stored = { objectKey, bytes: file.length, sha256: sha256(file), crc32: crc32(file) };
  files.set(transcriptId, stored);
};

const buildRow = (
  position: number,
  transcriptId: string,
  { objectKey, bytes, sha256 }: StoredFile,
): ManifestRow => ({
  ...newDelivery({ title: `What was said in part ${position}`, transcript_id: transcriptId }),
  ...{ position, video_id: `video${String(position).padStart(6, '0')}`, status: 'fetched' },
  ...{ published_at: TIME, requested_language: 'en', language: 'en', attempts: 1, credits_charged: 1 },
  ...{ error_class: null, error_code: null, message: null, retryable: null },
  ...{ waiting_for: null, next_attempt_at: null, object_key: objectKey, bytes, sha256 },
});

/** A job of files that cannot be compressed, few tracks over and over. */
export type LargeJob = { readonly rows: number; readonly tracks: number; readonly bytesOfEach: number };
export type BuildResult = { readonly ms: number; readonly bytes: number; readonly parts: number };

serveHelper({
  /** Returns the id of the job. */
  addJob: async ({ rows, tracks, bytesOfEach }: LargeJob): Promise<string> => {
    const ids = Array.from({ length: tracks }, () => randomUUID());
    for (const id of ids) await storeFile(id, randomBytes(bytesOfEach));
    const id = randomUUID();
    const manifest = Array.from({ length: rows }, (_, position) => {
      const track = ids[position % tracks] as string;
      return buildRow(position, track, files.get(track) as StoredFile);
    });
    jobs.set(id, { job: completedJob(id, rows), rows: manifest });
    return id;
  },
  /** Rebuilds the archive, and waits until it is complete. */
  build: async (jobId: string): Promise<BuildResult> => {
    const startedAt = performance.now();
    const context = { requestId: randomUUID(), accountId, signal: AbortSignal.timeout(TIMEOUT_MS) };
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
