import {
  archiver,
  bulkOrchestrator,
  hasJobEnded,
  type ReplyOf,
  type RequestOf,
  SECOND_MS,
  type Tier,
  tierLimits,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { languageOf } from '@tds/job-files';
import { onCommand } from '@tds/kit';
import type { Context } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import {
  type Archive,
  type ArchiveKey,
  buildFailure,
  byteCapRefusal,
  dailyCapRefusal,
  digestContents,
  mustBuild,
  nextCreatedAt,
  sortFormats,
} from '../domain/archive.ts';
import { findArchive, newestArchive, openArchive, readStoredBytes, takeBuildOfDay } from '../store/archives.ts';
import type { Db } from '../store/database.ts';

/** Poll interval for an archive that another process may be building. */
const POLL_MS = 400;

type Wait = { readonly waitMs: number; readonly signal: AbortSignal };

/** Waits until an archive is built or has failed, and returns it as it is then or after the wait; null if it was deleted. */
async function awaitArchive(
  { db, waiters }: Deps,
  archive: Archive,
  { waitMs, signal }: Wait,
): Promise<Archive | null> {
  const { id } = archive;
  const endsAt = performance.now() + waitMs;
  for (let current: Archive | null = archive; ; ) {
    const leftMs = endsAt - performance.now();
    if (current?.state !== 'building' || leftMs <= 0 || signal.aborted) return current;
    // Wait before reading, so that an end between the two is not missed.
    const next = waiters.wait(id, Math.min(POLL_MS, leftMs), signal);
    current = await findArchive(db, id);
    if (current?.state !== 'building') next.cancel();
    await next.done;
    if (current?.state === 'building') current = await findArchive(db, id);
  }
}

type ArchiveRequest = Omit<RequestOf<typeof archiver.getArchive>, 'formats' | 'frontMatter'>;
type Manifest = ReplyOf<typeof bulkOrchestrator.getJobManifest>;

/** Shortest time to retry: running rows end within minutes. */
const RETRY_SECONDS = 5;

/** The job cannot end before its last row is retried, nor before it resumes. */
const notReady = ({ job, rows }: Manifest, now: Date) => {
  const times = [job.resumes_at, ...rows.map((row) => row.next_attempt_at)].flatMap((at) => at ?? []);
  const last = Math.max(0, ...times.map((at) => Date.parse(at) - now.getTime()));
  return serviceError('archive_job_not_ready', {
    message: `${job.counts.pending + job.counts.processing} videos of the job have not ended; archives come after that.`,
    retryable: true,
    retryAfterSeconds: Math.max(RETRY_SECONDS, Math.ceil(last / SECOND_MS)),
  });
};

const notBuilt = () =>
  serviceError('not_cached', {
    message: 'HEAD starts no work, and this archive does not exist. GET builds it.',
  });

/** Counts the build. Throws `archive_cap`, which rolls back the opened archive and the count. */
const refuseTooMany = async (tx: Db, accountId: string, tier: Tier, now: Date) => {
  const refusal = byteCapRefusal(await readStoredBytes(tx, accountId, now), tier, now);
  if (refusal) throw refusal;
  const limit = tierLimits[tier].archiveBuildsPerDay;
  if (!(await takeBuildOfDay(tx, { accountId, limit }, now))) throw dailyCapRefusal(now);
};

/** The archive to wait for: the newest one, or a new one if it must be built. */
const currentArchive = (deps: Deps, key: ArchiveKey, request: ArchiveRequest) => {
  const { db, messaging, now } = deps;
  const { rebuild, startsNothing, tier } = request;
  return messaging.transaction(db, async (tx, send) => {
    const newest = await newestArchive(tx, key);
    if (newest !== null && !mustBuild(newest, { now: now(), rebuild: rebuild && !startsNothing }))
      return newest;
    if (startsNothing) throw notBuilt();
    const archive = await openArchive(tx, key, nextCreatedAt(newest, now()));
    if (archive === null) return requireArchive(await newestArchive(tx, key));
    await refuseTooMany(tx, key.accountId, tier, now());
    const { id: archiveId, accountId } = archive;
    await send.enqueue(
      archiver.buildArchive,
      { archiveId, accountId },
      { key: archiveId, partition: accountId },
    );
    return archive;
  });
};

/** Another request has opened it meanwhile. */
const requireArchive = (archive: Archive | null): Archive => {
  if (archive === null) throw serviceError('archive_failed', { retryAfterSeconds: 1 });
  return archive;
};

const toReply = (archive: Archive, now: Date): ReplyOf<typeof archiver.getArchive> => {
  const { id: archiveId, state, formats, parts, expiresAt } = archive;
  if (state === 'building') return { state: 'queued', archiveId };
  if (state === 'failed' || expiresAt === null) throw buildFailure(archive, now);
  return {
    state: 'ready',
    archiveId,
    formats: [...formats],
    parts: [...parts],
    expiresAt: expiresAt.toISOString(),
  };
};

const readManifest = async ({ call, now }: Deps, { accountId, jobId }: ArchiveRequest, context: Context) => {
  const manifest = await call(bulkOrchestrator.getJobManifest, { accountId, jobId }, context);
  if (!hasJobEnded(manifest.job)) throw notReady(manifest, now());
  return manifest;
};

/** A partial unique index allows one build of the same contents at a time; all callers wait for it. */
const answerArchive = async (
  deps: Deps,
  request: ArchiveRequest,
  key: Omit<ArchiveKey, 'accountId' | 'jobId'>,
  { signal }: Context,
) => {
  const { accountId, jobId, waitMs } = request;
  const archive = await currentArchive(deps, { accountId, jobId, ...key }, request);
  const current = await awaitArchive(deps, archive, { waitMs, signal });
  return toReply(requireArchive(current), deps.now());
};

export const getArchive = onCommand(archiver.getArchive, async (deps: Deps, request, context) => {
  const manifest = await readManifest(deps, request, context);
  const formats = sortFormats(request.formats.length === 0 ? [manifest.job.format] : request.formats);
  if (request.frontMatter && !formats.includes('md')) throw serviceError('invalid_front_matter');
  const form = { formats, kind: request.frontMatter ? ('notes' as const) : ('files' as const), maxWords: null };
  const contents = digestContents(manifest, form);
  return await answerArchive(deps, request, { ...form, contents }, context);
});

export const getDocument = onCommand(archiver.getDocument, async (deps: Deps, request, context) => {
  const manifest = await readManifest(deps, request, context);
  if (manifest.rows.every((row) => languageOf(row) === null)) throw serviceError('document_empty');
  const { format, maxWords } = request;
  const form = { formats: [format], kind: 'document' as const, maxWords };
  const contents = digestContents(manifest, form);
  return await answerArchive(deps, request, { ...form, contents }, context);
});
