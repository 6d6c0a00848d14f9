import { each, onSchedule, purgeEach, walk } from '@tds/service-kit';
import { lostOutcome } from './application/attempt.ts';
import { saveEach, saveOutcomes } from './application/save-outcomes.ts';
import type { Deps } from './deps.ts';
import { abandonedAttempts, postponeAbandoned } from './store/attempts.ts';
import { purgesOf } from './store/old-rows.ts';
import { resealSecret, type StoredSecret, secretsAfter } from './store/webhooks.ts';

/** What is due again, and what other processes have promised. */
export const sendDeliveries = onSchedule(async ({ sender }: Pick<Deps, 'sender'>) => sender.wake());

const AT_ONCE = 200;

/** An attempt whose process has died has the time of its claim, and counts towards the five, not against the receiver. */
export const endAbandonedAttempts = onSchedule(async (deps: Deps, { signal, record }) => {
  const save = saveEach((outcomes) => saveOutcomes(deps, outcomes));
  let ended = 0;
  const unsaved: unknown[] = [];
  for (let more = true; more && !signal.aborted; ) {
    const abandoned = await abandonedAttempts(deps.db, AT_ONCE);
    const outcomes = abandoned.map((attempt) => lostOutcome(attempt, attempt.claimedAt, deps.random()));
    const failed = outcomes.length === 0 ? [] : await save(outcomes);
    if (failed.length > 0)
      await postponeAbandoned(
        deps.db,
        failed.map(({ outcome }) => outcome.id),
      );
    unsaved.push(...failed.map(({ error }) => error));
    ended += outcomes.length - failed.length;
    more = outcomes.length === AT_ONCE;
  }
  record.add({ ended, unsaved: unsaved.length });
  if (unsaved.length > 0) throw new AggregateError(unsaved, 'outcomes of webhooks cannot be saved');
});

export const purgeOldRows = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  record.add(await purgeEach(purgesOf(db), { signal }));
});

/** After a rotation of the key ring nothing is left for the old key to open. */
export const resealSecrets = onSchedule(async ({ db, seals }: Pick<Deps, 'db' | 'seals'>, { signal }) => {
  await walk<StoredSecret>(
    (after) => secretsAfter(db, after),
    each((secret: StoredSecret) => resealSecret(db, seals, secret)),
    signal,
  );
});
