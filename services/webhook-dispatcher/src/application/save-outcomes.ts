import { webhookDispatcher } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { jobDeliveryStates, type Outcome, type Saved, saveAttempts } from '../store/outcomes.ts';
import { changeVersion, type LookedAt, lockQueues, refreshQueues } from '../store/queues.ts';
import { disableFailing, noteFailing } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

type Looked = LookedAt & { readonly isFailing: boolean };

/** One that has taken something is not failing, whatever else it has refused at the same time. */
const endpointsOf = (saved: readonly Saved[]): Looked[] =>
  Object.entries(Object.groupBy(saved, ({ endpointId }) => endpointId)).map(([id, ofIt = []]) => ({
    id,
    isFailing: ofIt.every(({ hasFailed }) => hasFailed),
  }));

const noteWebhooks = async (
  tx: Db,
  send: Sender<Surface>,
  saved: readonly Saved[],
  looked: readonly Looked[],
) => {
  await noteFailing(tx, looked);
  const failing = saved.filter(({ hasFailed }) => hasFailed).map(({ accountId }) => accountId);
  if (failing.length === 0) return;
  for (const { accountId, url } of await disableFailing(tx, failing)) {
    const version = await changeVersion(tx);
    await send.emit(webhookDispatcher.webhookDisabled, { accountId, host: new URL(url).hostname, version });
  }
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
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
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
    await noteWebhooks(tx, send, saved, looked);
    await tellJobs(tx, send, saved);
    await refreshQueues(
      tx,
      saved.map(({ accountId }) => accountId),
      looked,
    );
  });
