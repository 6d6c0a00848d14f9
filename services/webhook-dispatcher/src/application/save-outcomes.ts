import { webhookDispatcher } from '@tds/contracts';
import { isDatabaseAway, type Log, retryThenSplit, type Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { jobDeliveryStates, type Outcome, type Saved, saveAttempts } from '../store/attempts.ts';
import type { Db } from '../store/database.ts';
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

type Failed = { readonly outcome: Outcome; readonly error: unknown };

/**
 * Saves outcomes together, or each by itself, so that one that cannot be saved holds up no other one. Resolves to those that cannot;
 * throws while the database is away.
 */
export const saveEach = (save: (outcomes: readonly Outcome[]) => Promise<void>) => {
  const settle = retryThenSplit(
    async (outcomes: readonly Outcome[]) => {
      await save(outcomes);
      return outcomes.map(() => null);
    },
    { isTransient: isDatabaseAway, giveUp: (error) => error },
  );
  return async (outcomes: readonly Outcome[]): Promise<Failed[]> => {
    const settled = await settle(outcomes);
    return outcomes.flatMap((outcome, at) => {
      const result = settled[at];
      if (result?.status !== 'rejected') return [];
      if (isDatabaseAway(result.reason)) throw result.reason;
      return [{ outcome, error: result.reason as unknown }];
    });
  };
};

/** Of one transaction. */
const MOST_SAVED = 500;
const PAUSE_MS = 1_000;

type SaverParts = {
  save(outcomes: readonly Outcome[]): Promise<void>;
  onSaved(count: number): void;
  readonly ending: AbortSignal;
  readonly log: Pick<Log, 'warn'>;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Saves outcomes together that have come while the ones before them were saved; tries again while the database is away. One that cannot be
 * saved counts as lost when its lease has ended.
 */
export const createOutcomeSaver = ({ save, onSaved, ending, log }: SaverParts) => {
  const outcomes: Outcome[] = [];
  let saving: Promise<void> | null = null;
  const saveThem = saveEach(save);

  const saveBatch = async (): Promise<boolean> => {
    const batch = outcomes.slice(0, MOST_SAVED);
    try {
      for (const { outcome, error } of await saveThem(batch))
        log.warn('the outcome of a webhook cannot be saved', { error, deliveryId: outcome.id });
      outcomes.splice(0, batch.length);
      onSaved(batch.length);
      return true;
    } catch (error) {
      log.warn('outcomes of webhooks could not be saved', { error });
      return false;
    }
  };

  const saveAll = async (): Promise<void> => {
    while (outcomes.length > 0) {
      const isSaved = await saveBatch();
      if (isSaved) continue;
      // What a process that ends cannot save, the others find abandoned.
      if (ending.aborted) return;
      await pause(PAUSE_MS);
    }
  };

  return {
    add(outcome: Outcome): void {
      outcomes.push(outcome);
      saving ??= saveAll().finally(() => {
        saving = null;
      });
    },
    /** Resolves when nothing is left to be saved, or nothing can be. */
    drain: async (): Promise<void> => {
      await saving;
    },
  };
};
