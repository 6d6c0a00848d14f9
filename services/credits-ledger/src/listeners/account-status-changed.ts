import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { setAccountStatus } from '../store/ledger-statements.ts';

/** Events may arrive in any order: an older version than the one known changes nothing. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, change, context) => {
    await messaging.transaction(db, (tx) =>
      context.once(tx, async () => {
        const isNews = await setAccountStatus(tx, change);
        context.record.add({ status: change.status, version: change.version, isNews });
      }),
    );
  },
);
