import { transcriptFetcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { saveCanary } from '../store/reports.ts';

export const canaryChecked = onEvent(
  transcriptFetcher.canaryChecked,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, checked, { once }) => {
    await messaging.transaction(db, (tx) => once(tx, () => saveCanary(tx, checked)));
  },
);
