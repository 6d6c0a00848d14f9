import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { wakeErrandsOfAccount } from '../store/monitor-turns.ts';

/** Identity is asked for the tier of now, so neither order nor number of these events counts. */
export const accountTierChanged = onEvent(
  identity.accountTierChanged,
  ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId }) =>
    messaging.transaction(db, (tx) => wakeErrandsOfAccount(tx, accountId)),
);
