import { randomUUID } from 'node:crypto';
import { archiver, ServiceError, toServiceError } from '@tds/contracts';
import { LeaseLost, onTask, type TaskContext } from '@tds/service-kit';
import { buildParts } from '../application/build-archive.ts';
import type { Deps } from '../deps.ts';
import { findArchive, saveFailed, saveReady } from '../store/archives.ts';

/** Another attempt would meet the same. */
const isFinal = (error: unknown): boolean =>
  error instanceof ServiceError && ['archive_source_changed', 'job_not_found'].includes(error.code);

const fail = ({ db, messaging, now }: Deps, id: string, error: unknown, task: TaskContext): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    await task.complete(tx);
    await saveFailed(tx, id, toServiceError(error).data, now());
  });

/** Whoever takes it over begins anew; of two workers that hold it, one can end it. */
export const buildArchive = onTask(
  archiver.buildArchive,
  async (deps: Deps, { archiveId, accountId }, task) => {
    const { db, messaging, now } = deps;
    const archive = await findArchive(db, archiveId);
    if (archive?.state !== 'building') return;
    const { requestId, signal } = task;
    try {
      const parts = await buildParts(deps, archive, randomUUID(), { requestId, accountId, signal });
      task.record.add({ parts: parts.length, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) });
      await messaging.transaction(db, async (tx) => {
        await task.complete(tx);
        await saveReady(tx, archive, parts, now());
      });
    } catch (error) {
      if (error instanceof LeaseLost || !(isFinal(error) || task.isLastAttempt)) throw error;
      if (task.signal.aborted && !task.isLastAttempt) throw error;
      await fail(deps, archiveId, error, task);
    }
  },
);
