import { releaseUnknown } from '@tds/reservations';
import { type Context, onSchedule, walkAll } from '@tds/service-kit';
import { reconcileCharges } from '../application/reconcile-charges.ts';
import type { Deps } from '../deps.ts';
import { JOB_REASON, knownRefs } from '../store/rounds.ts';

const releaseLost = ({ kit, db, config }: Deps, context: Context) =>
  releaseUnknown(
    {
      ...{ call: kit.call, log: kit.log, reason: JOB_REASON, olderThanMs: config.ORPHANED_AFTER },
      known: (refs) => knownRefs(db, refs),
    },
    context,
  );

/** A job is saved before its credits are held: one that is not there now was lost, or holds nothing any more. */
export const reconcileReservations = onSchedule((deps: Deps, context) =>
  walkAll([releaseLost(deps, context), reconcileCharges(deps, context)]),
);
