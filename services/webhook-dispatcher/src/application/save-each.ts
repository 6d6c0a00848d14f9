import { isDatabaseAway, retryThenSplit } from '@tds/service-kit';
import type { Outcome } from '../store/outcomes.ts';

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
