import { transcriptFetcher } from '@tds/contracts';
import { onEvent, runOnce } from '@tds/kit';
import type { Deps } from './deps.ts';
import { slotOf } from './domain/days.ts';
import { saveCanary, saveReport, saveSlot } from './store/observations.ts';

export const canaryChecked = onEvent(transcriptFetcher.canaryChecked, (deps: Deps, check, context) =>
  runOnce(deps, context, (tx) => saveCanary(tx, check)),
);

/** A report without strategies only shows that its instance is alive. */
export const strategyObserved = onEvent(
  transcriptFetcher.strategyObserved,
  (deps: Deps, observation, context) =>
    runOnce(deps, context, async (tx) => {
      const { strategies, observedAt, faults } = observation;
      await saveReport(tx, observation);
      if (strategies.length === 0) return;
      const isHealthy = faults !== 'most' && strategies.some(({ healthy }) => healthy);
      await saveSlot(tx, slotOf(new Date(observedAt)), isHealthy);
    }),
);
