import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { tellSoon } from '../application/tell-ledger.ts';
import type { Deps } from '../deps.ts';
import { abandonedError } from '../domain/operation.ts';
import { disown } from '../store/operations.ts';

/** What was answered with a 5xx costs nothing: voids the request's charge, or keeps there from ever being one. */
export const disownRequest = onCommand(transcriptFetcher.disownRequest, async (deps: Deps, request) => {
  const due = await disown(deps.sql, { ...request, id: request.requestId }, abandonedError);
  void tellSoon(deps, due);
  return {};
});
