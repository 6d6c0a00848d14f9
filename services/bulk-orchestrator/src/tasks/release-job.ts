import { bulkOrchestrator } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import { releaseRef } from '../application/reserve-round.ts';
import { untilBack } from '../application/until-back.ts';
import type { Deps } from '../deps.ts';

/** A release that comes before its reservation keeps that one from ever holding anything. */
export const releaseJob = onTask(bulkOrchestrator.releaseJob, (deps: Deps, { ref }, task) =>
  untilBack(() => releaseRef(deps, ref, task)),
);
