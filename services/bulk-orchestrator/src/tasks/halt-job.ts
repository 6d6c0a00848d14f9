import { bulkOrchestrator } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import { haltLine } from '../application/halt-line.ts';
import { untilBack } from '../application/until-back.ts';
import type { Deps } from '../deps.ts';

export const haltJob = onTask(bulkOrchestrator.haltJob, (deps: Deps, { jobId }, task) =>
  untilBack(() => haltLine(deps, jobId, task)),
);
