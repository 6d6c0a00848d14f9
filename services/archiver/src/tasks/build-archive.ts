import { randomUUID } from 'node:crypto';
import { LeaseLost, toServiceError } from '@tds/base';
import { archiver } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { onTask } from '@tds/kit';
import { crashPoint, type TaskContext } from '@tds/messaging';
import { buildParts } from '../application/build-archive.ts';
import type { Deps } from '../deps.ts';
import type { Archive } from '../domain/archive.ts';
import { findArchive, markBegun, saveFailed, saveReady } from '../store/archives.ts';

/** Another attempt would fail too. */
const isFinal = (error: unknown): boolean =>
  error instanceof ServiceError && ['archive_source_changed', 'job_not_found'].includes(error.code);

const fail = ({ db, messaging, now }: Deps, id: string, error: unknown, task: TaskContext) =>
  messaging.transaction(db, async (tx) => {
    await task.complete(tx);
    await saveFailed(tx, id, toServiceError(error).data, now());
  });

const build = async (deps: Deps, archive: Archive, task: TaskContext) => {
  const { db, messaging, now } = deps;
  const { requestId, signal } = task;
  const { accountId } = archive;
  try {
    const parts = await buildParts(deps, archive, randomUUID(), { requestId, accountId, signal });
    task.record.add({ parts: parts.length, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) });
    crashPoint('archive-built');
    await messaging.transaction(db, async (tx) => {
      await task.complete(tx);
      await saveReady(tx, archive, parts, now());
    });
  } catch (error) {
    if (error instanceof LeaseLost || signal.aborted) throw error;
    if (!isFinal(error) && !task.isLastAttempt) throw error;
    await fail(deps, archive.id, error, task);
  }
};

/** An attempt that takes over starts again. Of two workers that hold the task, only one can complete it. */
export const buildArchive = onTask(archiver.buildArchive, async (deps: Deps, { archiveId }, task) => {
  const archive = await findArchive(deps.db, archiveId);
  if (archive?.state !== 'building') return;
  await markBegun(deps.db, archiveId, deps.now());
  await build(deps, archive, task).finally(() => deps.waiters.wake(archiveId));
});
