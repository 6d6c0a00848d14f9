import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** From then on no other account can reserve in the name of the key. */
export const keyCreated = onEvent(
  identity.keyCreated,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, keyId }, { once }) => {
    await messaging.transaction(db, (tx) =>
      once(tx, async () => {
        await tx.keyOwner.createMany({ data: [{ accountId, keyId }], skipDuplicates: true });
      }),
    );
  },
);
