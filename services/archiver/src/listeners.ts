import { bulkOrchestrator } from '@tds/contracts';
import { onEvent, runOnce } from '@tds/kit';
import type { Deps } from './deps.ts';
import { expireArchivesOf } from './store/archives.ts';

/** Expires the archives of an erased job. A running build finds no job any more. */
export const jobErased = onEvent(bulkOrchestrator.jobErased, (deps: Deps, { jobId }, context) =>
  runOnce(deps, context, async (tx) => {
    context.record.add({ expired: await expireArchivesOf(tx, jobId, deps.now()) });
  }),
);
