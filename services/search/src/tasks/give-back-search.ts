import { search } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import { giveBack } from '../application/fail-search.ts';
import type { Deps } from '../deps.ts';
import { findSearch, saveGivenBack } from '../store/search-rows.ts';

/** The ledger does each once per ref, so a repeat after a crash changes nothing. */
export const giveBackSearch = onTask(search.giveBackSearch, async (deps: Deps, { searchId }, task) => {
  const found = await findSearch(deps.db, searchId);
  if (found?.state !== 'failed') return;
  await giveBack(deps, searchId, task);
  await deps.messaging.transaction(deps.db, async (tx) => {
    await task.complete(tx);
    await saveGivenBack(tx, searchId);
  });
});
