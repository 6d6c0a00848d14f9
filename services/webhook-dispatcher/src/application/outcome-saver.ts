import type { Log } from '@tds/service-kit';
import type { Outcome } from '../store/outcomes.ts';

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

/** Saves outcomes together that have come while the ones before them were saved; tries again while the database is away. */
export const createOutcomeSaver = ({ save, onSaved, ending, log }: SaverParts) => {
  const outcomes: Outcome[] = [];
  let saving: Promise<void> | null = null;

  const saveBatch = async (): Promise<boolean> => {
    const batch = outcomes.slice(0, MOST_SAVED);
    try {
      await save(batch);
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
