import { each, purgeEach, walk } from '@tds/base';
import { onSchedule } from '@tds/kit';
import { interruptedOutcome } from './application/attempt.ts';
import { saveEach, saveOutcomes } from './application/save-outcomes.ts';
import type { Deps } from './deps.ts';
import { findAbandoned, postponeAbandoned } from './store/attempts.ts';
import { createPurges } from './store/old-rows.ts';
import { findSecretsAfter, reencryptSecret, type StoredSecret } from './store/webhooks.ts';

/** Wakes the sender for due retries and for deliveries that other processes created. */
export const sendDeliveries = onSchedule(async ({ sender }: Deps) => sender.wake());

const BATCH_SIZE = 200;

/** Ends attempts whose process died: they count towards the five, at the time of their claim, but not against the receiver. */
export const endAbandonedAttempts = onSchedule(async (deps: Deps, { signal, record }) => {
  const save = saveEach((outcomes) => saveOutcomes(deps, outcomes));
  let ended = 0;
  const unsaved: unknown[] = [];
  for (let more = true; more && !signal.aborted; ) {
    const abandoned = await findAbandoned(deps.db, BATCH_SIZE);
    const outcomes = abandoned.map((attempt) => interruptedOutcome(attempt, attempt.claimedAt));
    const failed = outcomes.length === 0 ? [] : await save(outcomes);
    const failedIds = failed.map(({ outcome }) => outcome.id);
    if (failedIds.length > 0) await postponeAbandoned(deps.db, failedIds);
    unsaved.push(...failed.map(({ error }) => error));
    ended += outcomes.length - failed.length;
    more = outcomes.length === BATCH_SIZE;
  }
  record.add({ ended, unsaved: unsaved.length });
  if (unsaved.length > 0) throw new AggregateError(unsaved, 'cannot save outcomes of webhooks');
});

export const purgeOldRows = onSchedule(async ({ db }: Deps, { signal, record }) => {
  record.add(await purgeEach(createPurges(db), { signal }));
});

/** After a key rotation, encrypts all secrets with the current key. */
export const reencryptSecrets = onSchedule(async ({ db, cipher }: Pick<Deps, 'db' | 'cipher'>, { signal }) => {
  await walk<StoredSecret>(
    (after) => findSecretsAfter(db, after),
    each((secret: StoredSecret) => reencryptSecret(db, cipher, secret)),
    signal,
  );
});
