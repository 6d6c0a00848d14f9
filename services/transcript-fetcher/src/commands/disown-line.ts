import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { tellSoon } from '../application/tell-ledger.ts';
import type { Deps } from '../deps.ts';
import { disownLine as disown, haltLine } from '../store/lines.ts';

/** Nobody has what was fetched for it: nothing more begins, and nothing of it costs anything. */
export const disownLine = onCommand(transcriptFetcher.disownLine, async (deps: Deps, owned) => {
  const { due } = await haltLine(deps.sql, owned, 'stopped');
  await disown(deps.sql, owned);
  void tellSoon(deps, due);
  return {};
});
