import { webhookDispatcher } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { jobDeliveryStates, type Outcome, type Saved, saveAttempts } from '../store/outcomes.ts';
import { changeVersion, type LookedAt, lockQueues, refreshQueues } from '../store/queues.ts';
import { disableFailing, noteFailing } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';
import { type ChangeParts, webhookWasDisabled } from './webhook-changes.ts';

/** One that has taken something is not failing, whatever else it has refused at the same time. */
const isFailing = (saved: readonly Saved[]): boolean | null => {
  const known = saved.filter(({ hasFailed }) => hasFailed !== null);
  return known.length === 0 ? null : known.every(({ hasFailed }) => hasFailed);
};

const endpointsOf = (saved: readonly Saved[]): LookedAt[] =>
  Object.entries(Object.groupBy(saved, ({ endpointId }) => endpointId)).map(([id, ofIt = []]) => ({
    id,
    isFailing: isFailing(ofIt),
  }));

const noteWebhooks = async (parts: ChangeParts, saved: readonly Saved[], looked: readonly LookedAt[]) => {
  await noteFailing(
    parts.tx,
    looked.filter((one) => one.isFailing !== null),
  );
  const failing = saved.filter(({ hasFailed }) => hasFailed).map(({ accountId }) => accountId);
  if (failing.length === 0) return;
  for (const disabled of await disableFailing(parts.tx, failing))
    await webhookWasDisabled(parts, 'disabled', disabled);
};

const tellJobs = async (tx: Db, send: Sender<Surface>, saved: readonly Saved[]) => {
  const ended = saved.filter(({ state }) => state !== 'waiting').flatMap(({ jobId }) => jobId ?? []);
  if (ended.length === 0) return;
  const version = await changeVersion(tx);
  for (const told of await jobDeliveryStates(tx, ended))
    await send.emit(webhookDispatcher.jobDeliveryChanged, { ...told, version });
};

/** Saves what has become of attempts, and says who is to be looked at next; of what somebody else has ended nothing changes. */
export const saveOutcomes = (
  { db, messaging, seals }: Pick<Deps, 'db' | 'messaging' | 'seals'>,
  outcomes: readonly Outcome[],
): Promise<void> =>
  messaging.transaction(db, async (tx, send) => {
    await lockQueues(
      tx,
      outcomes.map(({ accountId }) => accountId),
    );
    const saved = await saveAttempts(tx, outcomes);
    if (saved.length === 0) return;
    const looked = endpointsOf(saved);
    await noteWebhooks({ tx, send, seals }, saved, looked);
    await tellJobs(tx, send, saved);
    await refreshQueues(
      tx,
      saved.map(({ accountId }) => accountId),
      looked,
    );
  });
