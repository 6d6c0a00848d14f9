import { bulkOrchestrator, transcriptFetcher } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import { untilBack } from '../application/until-back.ts';
import type { Deps } from '../deps.ts';

/** It may come before the first row of the line: none is opened then. */
export const disownJob = onTask(
  bulkOrchestrator.disownJob,
  (deps: Deps, { jobId: lineId, accountId }, task) =>
    untilBack(async () => {
      await deps.call(transcriptFetcher.disownLine, { lineId, accountId }, task);
    }),
);
