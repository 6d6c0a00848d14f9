import type { Log } from '@tds/service-kit';
import type { Outcome } from '../store/outcomes.ts';
import { saveEach } from './save-each.ts';

/** Of one transaction. */
const MOST_SAVED = 500;
const PAUSE_MS = 1_000;

export type SaverParts = {
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
