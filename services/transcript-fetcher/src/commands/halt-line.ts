import { serviceError, transcriptFetcher } from '@tds/contracts';
import { crashPoint, onCommand } from '@tds/service-kit';
import { tellSoon } from '../application/tell-ledger.ts';
import type { Deps } from '../deps.ts';
import { haltLine as halt } from '../store/lines.ts';

/** What has begun goes on, and is charged if it is delivered. */
export const haltLine = onCommand(transcriptFetcher.haltLine, async (deps: Deps, { as, ...owned }) => {
  const { version, due } = await halt(deps.sql, owned, as);
  if (version === null) throw serviceError('job_not_found');
  crashPoint('line-halted');
  void tellSoon(deps, due);
  return { version };
});
