import { walk } from '@tds/base';
import { archiver, MINUTE_MS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onSchedule } from '@tds/kit';
import type { Deps } from './deps.ts';
import { isOverdue } from './domain/archive.ts';
import { type Build, findBuildsBefore, saveFailed } from './store/archives.ts';
import { deleteOld } from './store/old-archives.ts';

/** Enqueues builds without a task, and fails overdue ones. */
const resume =
  ({ db, messaging, now }: Deps) =>
  (builds: readonly Build[]): Promise<void> =>
    messaging.transaction(db, async (tx, send) => {
      for (const build of builds) {
        const { id: archiveId, accountId } = build;
        if (isOverdue(build, now()))
          await saveFailed(tx, archiveId, serviceError('archive_failed').data, now());
        else
          await send.enqueue(
            archiver.buildArchive,
            { archiveId, accountId },
            { key: archiveId, partition: accountId },
          );
      }
    });

/** Resumes builds that lost their task, and fails those that took longer than all attempts may, for their waiters. */
export const resumeBuilds = onSchedule(async (deps: Deps, { record, signal }) => {
  const { db, now } = deps;
  const before = new Date(now().getTime() - MINUTE_MS);
  let building = 0;
  await walk<Build>(
    (after) => findBuildsBefore(db, before, after?.id),
    (builds) => {
      building += builds.length;
      return resume(deps)(builds);
    },
    signal,
  );
  record.add({ building });
});

/** Deletes expired archives from the object store, then their rows. */
export const deleteOldArchives = onSchedule(async ({ db, objects, now }: Deps, { record, signal }) => {
  record.add(await deleteOld(db, objects, now(), { signal }));
});
