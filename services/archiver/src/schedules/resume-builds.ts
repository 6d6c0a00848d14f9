import { archiver, serviceError } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { LONGEST_BUILD_MS } from '../domain/archive.ts';
import { buildsBegunBefore, saveFailed } from '../store/archives.ts';

const AT_ONCE = 200;
const MINUTE_MS = 60_000;

/**
 * A build whose task is gone is begun again; one that has had the time of all its attempts and more has failed, so that whoever
 * waits for it is told.
 */
export const resumeBuilds = onSchedule(async ({ db, messaging, now }: Deps, { record }) => {
  const builds = await buildsBegunBefore(db, new Date(now().getTime() - MINUTE_MS), AT_ONCE);
  const isOver = ({ createdAt }: { createdAt: Date }) =>
    now().getTime() - createdAt.getTime() > LONGEST_BUILD_MS;
  await messaging.transaction(db, async (tx, send) => {
    for (const build of builds) {
      const { id: archiveId, accountId } = build;
      const payload = { archiveId, accountId };
      if (isOver(build)) await saveFailed(tx, archiveId, serviceError('archive_failed').data, now());
      // Nothing is added where there is a task already.
      else await send.enqueue(archiver.buildArchive, payload, { key: archiveId, partition: accountId });
    }
  });
  record.add({ building: builds.length });
});
