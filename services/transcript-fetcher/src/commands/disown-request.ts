import { type disownRequest, type RequestOf, settleOperation } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { abandonedError } from '../domain/operation.ts';
import { disown } from '../store/disowned.ts';

/** What was answered with a 5xx costs nothing: voids the request's charge, or keeps there from ever being one. */
export const disownRequestHandler =
  ({ db, kit }: Deps) =>
  async (request: RequestOf<typeof disownRequest>): Promise<Record<never, never>> => {
    await kit.messaging.transaction(db, async (tx, send) => {
      const voided = await disown(tx, { ...request, id: request.requestId }, abandonedError);
      for (const operationId of voided) await send.enqueue(settleOperation, { operationId, charge: 0 });
    });
    return {};
  };
