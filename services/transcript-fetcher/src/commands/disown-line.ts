import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { disownLine as disown, haltLine } from '../store/lines.ts';

/** Nobody has what was fetched for it: nothing more begins, and nothing of it costs anything. */
export const disownLine = onCommand(transcriptFetcher.disownLine, async ({ sql }: Deps, owned) => {
  await haltLine(sql, owned, 'stopped');
  await disown(sql, owned);
  return {};
});
