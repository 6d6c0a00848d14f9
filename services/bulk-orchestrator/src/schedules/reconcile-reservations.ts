import { releaseUnknown } from '@tds/reservations';
import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { JOB_REASON, knownRefs } from '../store/rounds.ts';

/** A job is saved before its credits are held: one that is not there now was lost, or holds nothing any more. */
export const reconcileReservations = onSchedule(({ kit, db, config }: Deps, context) =>
  releaseUnknown(
    {
      ...{ call: kit.call, log: kit.log, reason: JOB_REASON, olderThanMs: config.ORPHANED_AFTER },
      known: (refs) => knownRefs(db, refs),
    },
    context,
  ),
);
