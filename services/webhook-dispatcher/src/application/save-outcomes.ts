import { isDatabaseAway, retryThenSplit } from '@tds/base';
import { webhookDispatcher } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { type AttemptOutcome, findJobDeliveryStates, saveAttempts } from '../store/attempts.ts';
import type { Db } from '../store/database.ts';
import { changeVersion } from '../store/queues.ts';
import { type DisabledReceiver, disableFailingReceivers, disableGoneReceiver } from '../store/receivers.ts';
import { disableFailing } from '../store/webhooks.ts';
import { emitReceiverChanged } from './receiver-changes.ts';
import { emitWebhookDisabled } from './webhook-changes.ts';

type SaverDeps = Pick<Deps, 'db' | 'messaging' | 'cipher'>;

/** Disables receivers that have failed for days, and those that have ended. */
const disableReceivers = async (tx: Db, failed: readonly AttemptOutcome[]): Promise<DisabledReceiver[]> => {
  const disabled = await disableFailingReceivers(
    tx,
    failed.map(({ accountId }) => accountId),
  );
  for (const { isGone, receiverId, secretId } of failed)
    if (isGone && receiverId && secretId)
      disabled.push(...(await disableGoneReceiver(tx, receiverId, secretId)));
  return disabled;
};

/**
 * Saves attempt outcomes and emits what they change: deliveries of jobs that have ended, webhooks and receivers that have failed for days.
 * Ignores attempts that another process already ended.
 */
export const saveOutcomes = ({ db, messaging, cipher }: SaverDeps, outcomes: readonly AttemptOutcome[]) =>
  messaging.transaction(db, async (tx, send) => {
    await saveAttempts(tx, outcomes);
    const failed = outcomes.filter(({ attempt: { error } }) => error !== null && error !== 'interrupted');
    if (failed.length > 0) {
      const accountIds = failed.map(({ accountId }) => accountId);
      for (const disabled of await disableFailing(tx, accountIds))
        await emitWebhookDisabled({ tx, send, cipher }, 'disabled', disabled);
      for (const disabled of await disableReceivers(tx, failed))
        await emitReceiverChanged({ tx, send, cipher }, { ...disabled, changes: ['disabled'], keyId: null });
    }
    const states = await findJobDeliveryStates(
      tx,
      outcomes.map(({ id }) => id),
    );
    if (states.length === 0) return;
    const version = await changeVersion(tx);
    for (const delivery of states)
      await send.emit(webhookDispatcher.jobDeliveryChanged, { ...delivery, version });
  });

type SaveOutcomes = (outcomes: readonly AttemptOutcome[]) => Promise<void>;
type UnsavedOutcome = { readonly outcome: AttemptOutcome; readonly error: unknown };

/** Saves outcomes together, or each alone if that fails. Returns those that cannot be saved; throws while the database is away. */
export const saveEach = (save: SaveOutcomes) => {
  const settle = retryThenSplit(
    async (outcomes: readonly AttemptOutcome[]) => {
      await save(outcomes);
      return outcomes.map(() => null);
    },
    { isTransient: isDatabaseAway },
  );
  return async (outcomes: readonly AttemptOutcome[]): Promise<UnsavedOutcome[]> => {
    const errors = await settle(outcomes);
    return outcomes.flatMap((outcome, at) => {
      const error = errors[at] ?? null;
      if (isDatabaseAway(error)) throw error;
      return error === null ? [] : [{ outcome, error }];
    });
  };
};
