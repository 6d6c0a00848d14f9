import { archiver, bulkOrchestrator, type ReplyOf, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { awaitArchive } from '../application/await-archive.ts';
import type { Deps } from '../deps.ts';
import {
  type Archive,
  type ArchiveKey,
  begunAfter,
  failureOf,
  hasEnded,
  inOrder,
  mustBuild,
} from '../domain/archive.ts';
import { newestArchive, openArchive } from '../store/archives.ts';

/** The archive to wait for: the one that is there or is being built, or one that is begun now. */
const currentArchive = (deps: Deps, key: ArchiveKey, rebuild: boolean): Promise<Archive> => {
  const { db, messaging, now } = deps;
  return messaging.transaction(db, async (tx, send) => {
    const newest = await newestArchive(tx, key);
    if (newest !== null && !mustBuild(newest, { now: now(), rebuild })) return newest;
    const opened = await openArchive(tx, key, begunAfter(newest, now()));
    if (opened === null) return underWay(await newestArchive(tx, key));
    const { id: archiveId, accountId } = opened;
    await send.enqueue(
      archiver.buildArchive,
      { archiveId, accountId },
      { key: archiveId, partition: accountId },
    );
    return opened;
  });
};

/** Another request has begun it since this one has looked. */
const underWay = (archive: Archive | null): Archive => {
  if (archive === null) throw serviceError('archive_failed', { retryAfterSeconds: 1 });
  return archive;
};

const toReply = (archive: Archive, now: Date): ReplyOf<typeof archiver.getArchive> => {
  const { id: archiveId, state, formats, parts, expiresAt } = archive;
  if (state === 'building') return { state: 'queued', archiveId };
  if (state === 'failed' || expiresAt === null) throw failureOf(archive, now);
  return {
    state: 'ready',
    archiveId,
    formats: [...formats],
    parts: [...parts],
    expiresAt: expiresAt.toISOString(),
  };
};

/** One build for all who ask at the same time, by a partial unique index; whoever asks waits for it. */
export const getArchive = onCommand(archiver.getArchive, async (deps: Deps, request, context) => {
  const { accountId, jobId, formats, rebuild, waitMs } = request;
  const { job, version } = await deps.call(bulkOrchestrator.getJobSummary, { accountId, jobId }, context);
  if (!hasEnded(job)) throw serviceError('archive_job_not_ready');
  const wanted = inOrder(formats.length === 0 ? [job.format] : formats);
  const key = { accountId, jobId, jobVersion: version, formats: wanted };
  const archive = await currentArchive(deps, key, rebuild);
  const { signal } = context;
  const current = await awaitArchive(deps, archive, { waitMs, signal });
  return toReply(underWay(current), deps.now());
});
