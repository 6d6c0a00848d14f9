import type { accountStatusChanged, PayloadOf } from '@tds/contracts';
import type { ListenerContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { setAccountStatus } from '../store/ledger-statements.ts';

/** Events may arrive in any order: an older version than the one known changes nothing. */
export const onAccountStatusChanged =
  ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>) =>
  async (change: PayloadOf<typeof accountStatusChanged>, context: ListenerContext): Promise<void> => {
    await messaging.transaction(db, (tx) =>
      context.once(tx, async () => {
        const isNews = await setAccountStatus(tx, change);
        context.record.add({ status: change.status, version: change.version, isNews });
      }),
    );
  };
