import { bulkOrchestrator } from '@tds/contracts';
import { onEvent } from '@tds/kit';
import type { Deps } from './deps.ts';
import { expireArchivesOf } from './store/archives.ts';

/** Expires the archives of an erased job. A running build finds no job any more. */
export const jobErased = onEvent(
  bulkOrchestrator.jobErased,
  async ({ db, messaging, now }: Deps, { jobId }, context) => {
    await messaging.transaction(db, (tx) =>
      context.once(tx, async () => {
        context.record.add({ expired: await expireArchivesOf(tx, jobId, now()) });
      }),
    );
  },
);
