import { transcriptFetcher } from '@tds/contracts';
import { onEvent } from '@tds/kit';
import type { Deps } from './deps.ts';
import { slotOf } from './domain/days.ts';
import { saveCanary, saveReport, saveSlot } from './store/observations.ts';

export const canaryChecked = onEvent(
  transcriptFetcher.canaryChecked,
  async ({ db, messaging }: Deps, check, { once }) => {
    await messaging.transaction(db, (tx) => once(tx, () => saveCanary(tx, check)));
  },
);

/** A report without strategies only shows that its instance is alive. */
export const strategyObserved = onEvent(
  transcriptFetcher.strategyObserved,
  async ({ db, messaging }: Deps, observation, { once }) => {
    const { strategies, observedAt, faults } = observation;
    await messaging.transaction(db, (tx) =>
      once(tx, async () => {
        await saveReport(tx, observation);
        if (strategies.length === 0) return;
        await saveSlot(
          tx,
          slotOf(new Date(observedAt)),
          faults !== 'most' && strategies.some(({ healthy }) => healthy),
        );
      }),
    );
  },
);
