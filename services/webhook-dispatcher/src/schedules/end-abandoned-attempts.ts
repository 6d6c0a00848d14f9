import { onSchedule } from '@tds/service-kit';
import { outcomeOf } from '../application/attempt.ts';
import { saveOutcomes } from '../application/save-outcomes.ts';
import type { Deps } from '../deps.ts';
import { abandonedAttempts } from '../store/outcomes.ts';

const AT_ONCE = 200;
const lost = { status: null, milliseconds: null, error: 'interrupted', answer: null } as const;

/** An attempt whose process has died counts as one that has failed: nobody knows whether it arrived. */
export const endAbandonedAttempts = onSchedule(async (deps: Deps, { signal, record }) => {
  let ended = 0;
  for (let more = true; more && !signal.aborted; ) {
    const abandoned = await abandonedAttempts(deps.db, AT_ONCE);
    const at = deps.now();
    const outcomes = abandoned.map((attempt) => outcomeOf(attempt, { ...lost, at }, deps.random()));
    if (outcomes.length > 0) await saveOutcomes(deps, outcomes);
    ended += outcomes.length;
    more = outcomes.length === AT_ONCE;
  }
  record.add({ ended });
});
