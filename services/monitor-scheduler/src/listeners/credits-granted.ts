import { creditsLedger } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { wakeForCredits } from '../store/monitor-turns.ts';

/** What waits for credits is tried again; whether they are enough, the job says. Waking twice is waking once. */
export const creditsGranted = onEvent(
  creditsLedger.creditsGranted,
  ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId }) =>
    messaging.transaction(db, (tx) => wakeForCredits(tx, accountId)),
);
