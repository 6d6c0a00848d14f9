import { search, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { uncountPage } from '../application/admit-search.ts';
import type { Deps } from '../deps.ts';
import { findSearch } from '../store/search-rows.ts';
import { disown } from '../store/search-sweeps.ts';

/** What was answered with a 5xx costs nothing: voids the request's charge, or keeps there from ever being one. */
export const disownSearch = onCommand(
  search.disownSearch,
  async ({ db, messaging, now }: Deps, { requestId: id, accountId, keyId }) => {
    await messaging.transaction(db, async (tx, send) => {
      const isVoided = await disown(
        tx,
        { id, accountId, keyId },
        serviceError('service_unavailable').data,
        now(),
      );
      if (!isVoided) return;
      const voided = await findSearch(tx, id);
      if (voided) await uncountPage(tx, voided);
      await send.enqueue(search.giveBackSearch, { searchId: id }, { key: id });
    });
    return {};
  },
);
