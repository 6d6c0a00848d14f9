import type { ServiceError } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Pause } from '../domain/outcomes.ts';
import { type Job, lockOwnRun } from '../store/jobs.ts';
import { abandonRound, findRounds, planRound, type Round, saveHeld } from '../store/rounds.ts';
import type { Run } from '../store/rows.ts';
import { isRefusal, reserveRound } from './reserve-round.ts';

const SECOND_MS = 1_000;

/** `pause`: the ledger holds nothing at the moment. `end`: it never will for this account. */
export type Held =
  | { readonly kind: 'held' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'pause'; readonly pause: Pause }
  | { readonly kind: 'end'; readonly error: ServiceError };

const refused = ({ limits, now }: Deps, error: ServiceError): Held => {
  const at = (ms: number) => new Date(now().getTime() + ms);
  if (error.code === 'insufficient_credits') {
    return { kind: 'pause', pause: { reason: 'insufficient_credits', resumeAt: at(limits.creditsAgainMs) } };
  }
  if (error.code === 'daily_credit_cap') {
    const waitMs = (error.data.retryAfterSeconds ?? 60) * SECOND_MS;
    return { kind: 'pause', pause: { reason: 'daily_limit', resumeAt: at(waitMs) } };
  }
  return { kind: 'end', error };
};

/** Rows that became cold since, or are tried again, get parts of a reservation that is still to be held. */
const planWanted = ({ db, kit, now }: Deps, { jobId, runnerId }: Run): Promise<Round[] | null> =>
  kit.messaging.transaction(db, async (tx) => {
    if ((await lockOwnRun(tx, jobId, runnerId)) === null) return null;
    await planRound(tx, jobId, now());
    return findRounds(tx, jobId, 'wanted');
  });

/** Holds a credit for every cold row that has none. What is held already is not held again, however often this is repeated. */
export const holdCredits = async (deps: Deps, job: Job, run: Run, task: TaskContext): Promise<Held> => {
  const wanted = await planWanted(deps, run);
  if (wanted === null) return { kind: 'lost' };
  for (const round of wanted) {
    let charged: readonly number[];
    try {
      const held = await reserveRound(deps, job, round, task);
      crashPoint('job-round-reserved');
      if (held.outcome === 'reserved') {
        await saveHeld(deps.db, round);
        continue;
      }
      charged = held.charged;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return refused(deps, error);
    }
    // Somebody has given it back: rows that it has not paid need another one.
    await deps.kit.messaging.transaction(deps.db, (tx) => abandonRound(tx, round, charged));
    return holdCredits(deps, job, run, task);
  }
  return { kind: 'held' };
};
