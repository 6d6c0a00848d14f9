import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { deleteOld } from '../store/old-archives.ts';

/** What has expired leaves the object store, and then the books. */
export const deleteOldArchives = onSchedule(async ({ db, objects, now }: Deps, { record, signal }) => {
  record.add(await deleteOld(db, objects, now(), { signal }));
});
