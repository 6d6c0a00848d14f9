import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { abandonedError } from '../domain/operation.ts';
import { disown } from '../store/open-operation.ts';

/** What was answered with a 5xx costs nothing: voids the request's charge, or keeps there from ever being one. */
export const disownRequest = onCommand(
  transcriptFetcher.disownRequest,
  async ({ db, messaging }: Deps, request) => {
    await messaging.transaction(db, async (tx, send) => {
      const voided = await disown(tx, { ...request, id: request.requestId }, abandonedError);
      for (const operationId of voided)
        await send.enqueue(transcriptFetcher.settleOperation, { operationId, charge: 0 });
    });
    return {};
  },
);
