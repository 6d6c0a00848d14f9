import { serviceError, settleOperation } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import {
  abandonedError,
  LONGEST_OPERATION_MS,
  LONGEST_RESERVING_MS,
  SETTLEMENT_OVERDUE_MS,
} from '../domain/operation.ts';
import { endFetch } from '../store/fetches.ts';
import { failOperation, failOperations } from '../store/operations.ts';
import { findOverdueFetches, findStuckReserving, findUnsettled } from '../store/unresolved.ts';

/** Every accepted operation ends by itself: here end those whose process, message or task was lost for good. */
export const endAbandonedOperations = (deps: Deps) => async (): Promise<void> => {
  await failStuckReservations(deps);
  await failOverdueFetches(deps);
  await settleOverdue(deps);
};

async function failStuckReservations({ db, kit }: Deps): Promise<void> {
  for (const { id } of await findStuckReserving(db, LONGEST_RESERVING_MS)) {
    await kit.messaging.transaction(db, async (tx, send) => {
      const failed = await failOperation(tx, id, abandonedError, 'pending');
      if (failed) await send.enqueue(settleOperation, { operationId: id, charge: 0 });
    });
  }
}

async function failOverdueFetches({ db, kit }: Deps): Promise<void> {
  for (const { fetch_id: fetchId } of await findOverdueFetches(db, LONGEST_OPERATION_MS)) {
    await kit.messaging.transaction(db, async (tx, send) => {
      await endFetch(tx, fetchId, 'failed');
      for (const operationId of await failOperations(tx, fetchId, serviceError('relay_attempt_cap').data)) {
        await send.enqueue(settleOperation, { operationId, charge: 0 });
      }
    });
  }
}

async function settleOverdue({ db, kit }: Deps): Promise<void> {
  for (const { id, charge } of await findUnsettled(db, SETTLEMENT_OVERDUE_MS)) {
    await kit.messaging.transaction(db, (_tx, send) =>
      send.enqueue(settleOperation, { operationId: id, charge }),
    );
  }
}
