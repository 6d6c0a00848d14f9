import { setTimeout } from 'node:timers/promises';
import { isDatabaseAway, type Log, retryThenSplit } from '@tds/base';
import { webhookDispatcher } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import {
  type AttemptOutcome,
  jobDeliveryStates,
  type SavedAttempt,
  saveAttempts,
} from '../store/attempts.ts';
import { changeVersion, type EndpointHealth, lockQueues, refreshQueues } from '../store/queues.ts';
import { disableFailing, saveFailures } from '../store/webhooks.ts';
import { type ChangeParts, emitWebhookDisabled } from './webhook-changes.ts';

/** An endpoint that took anything is not failing. Null if no attempt says anything about it. */
const isFailing = (saved: readonly SavedAttempt[]): boolean | null => {
  const known = saved.filter(({ hasFailed }) => hasFailed !== null);
  return known.length === 0 ? null : known.every(({ hasFailed }) => hasFailed);
};

const endpointsOf = (saved: readonly SavedAttempt[]): EndpointHealth[] =>
  Object.entries(Object.groupBy(saved, ({ endpointId }) => endpointId)).map(([id, attempts = []]) => ({
    id,
    isFailing: isFailing(attempts),
  }));

const updateWebhooks = async (
  parts: ChangeParts,
  saved: readonly SavedAttempt[],
  endpoints: readonly EndpointHealth[],
): Promise<void> => {
  await saveFailures(
    parts.tx,
    endpoints.filter((endpoint) => endpoint.isFailing !== null),
  );
  const failing = saved.filter(({ hasFailed }) => hasFailed).map(({ accountId }) => accountId);
  if (failing.length === 0) return;
  for (const disabled of await disableFailing(parts.tx, failing))
    await emitWebhookDisabled(parts, 'disabled', disabled);
};

const emitJobDeliveries = async (
  { tx, send }: Pick<ChangeParts, 'tx' | 'send'>,
  saved: readonly SavedAttempt[],
): Promise<void> => {
  const ended = saved.filter(({ state }) => state !== 'waiting').flatMap(({ jobId }) => jobId ?? []);
  if (ended.length === 0) return;
  const version = await changeVersion(tx);
  for (const delivery of await jobDeliveryStates(tx, ended))
    await send.emit(webhookDispatcher.jobDeliveryChanged, { ...delivery, version });
};

/** Saves attempt outcomes and reschedules their queues. Ignores attempts that another process already ended. */
export const saveOutcomes = (
  { db, messaging, seals }: Pick<Deps, 'db' | 'messaging' | 'seals'>,
  outcomes: readonly AttemptOutcome[],
): Promise<void> =>
  messaging.transaction(db, async (tx, send) => {
    await lockQueues(
      tx,
      outcomes.map(({ accountId }) => accountId),
    );
    const saved = await saveAttempts(tx, outcomes);
    if (saved.length === 0) return;
    const endpoints = endpointsOf(saved);
    await updateWebhooks({ tx, send, seals }, saved, endpoints);
    await emitJobDeliveries({ tx, send }, saved);
    await refreshQueues(
      tx,
      saved.map(({ accountId }) => accountId),
      endpoints,
    );
  });

type SaveOutcomes = (outcomes: readonly AttemptOutcome[]) => Promise<void>;
type Unsaved = { readonly outcome: AttemptOutcome; readonly error: unknown };

/** Saves outcomes together, or each alone if that fails. Returns those that cannot be saved; throws while the database is away. */
export const saveEach = (save: SaveOutcomes) => {
  const settle = retryThenSplit(
    async (outcomes: readonly AttemptOutcome[]) => {
      await save(outcomes);
      return outcomes.map(() => null);
    },
    { isTransient: isDatabaseAway, giveUp: (error) => error },
  );
  return async (outcomes: readonly AttemptOutcome[]): Promise<Unsaved[]> => {
    const settled = await settle(outcomes);
    return outcomes.flatMap((outcome, at) => {
      const result = settled[at];
      if (result?.status !== 'rejected') return [];
      if (isDatabaseAway(result.reason)) throw result.reason;
      return [{ outcome, error: result.reason as unknown }];
    });
  };
};

/** Outcomes in one transaction. */
const MOST_SAVED = 500;
const RETRY_MS = 1_000;

type OutcomeSaverDeps = {
  readonly save: SaveOutcomes;
  readonly onSaved: (count: number) => void;
  readonly ending: AbortSignal;
  readonly log: Pick<Log, 'warn'>;
};

/**
 * Saves outcomes in batches: those that arrive during one save are the next batch. Retries while the database is away. An outcome
 * that cannot be saved counts as interrupted when its lease ends.
 */
export const createOutcomeSaver = ({ save, onSaved, ending, log }: OutcomeSaverDeps) => {
  const outcomes: AttemptOutcome[] = [];
  let saving: Promise<void> | null = null;
  const saveThem = saveEach(save);

  const saveBatch = async (): Promise<boolean> => {
    const batch = outcomes.slice(0, MOST_SAVED);
    try {
      for (const { outcome, error } of await saveThem(batch))
        log.warn('cannot save the outcome of a webhook', { error, deliveryId: outcome.id });
      outcomes.splice(0, batch.length);
      onSaved(batch.length);
      return true;
    } catch (error) {
      log.warn('could not save outcomes of webhooks', { error });
      return false;
    }
  };

  const saveAll = async (): Promise<void> => {
    while (outcomes.length > 0) {
      if (await saveBatch()) continue;
      // Other processes end the attempts that a stopping process cannot save.
      if (ending.aborted) return;
      await setTimeout(RETRY_MS);
    }
  };

  return {
    add(outcome: AttemptOutcome): void {
      outcomes.push(outcome);
      saving ??= saveAll().finally(() => {
        saving = null;
      });
    },
    /** Resolves when all outcomes are saved, or when a stopping process cannot save them. */
    drain: async (): Promise<void> => {
      await saving;
    },
  };
};
