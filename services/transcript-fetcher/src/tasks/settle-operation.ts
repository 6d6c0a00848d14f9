import {
  operationEnded,
  type PayloadOf,
  refundCharge,
  releaseReservation,
  type settleOperation,
  settleReservation,
} from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { endSettlement, findOperation } from '../store/operations.ts';

/**
 * Resolves the credit of an ended operation: settled where something was delivered for it, else released. The ledger
 * does each once per ref, so a repeat after a crash changes nothing. Who waits for what cost nothing is answered now.
 */
export const settleOperationHandler =
  ({ db, sql, kit, waiters }: Deps) =>
  async (payload: PayloadOf<typeof settleOperation>, task: TaskContext): Promise<void> => {
    const { operationId } = payload;
    const charge = payload.charge ?? (await findOperation(db, operationId))?.charge;
    if (charge === undefined) return;
    const command = charge > 0 ? settleReservation : releaseReservation;
    const { outcome } = await kit.call(command, { ref: operationId }, task);
    if (charge > 0 && outcome !== 'settled') {
      // It was disowned meanwhile: another task has given the credit back.
      if ((await findOperation(db, operationId))?.charge === 0) return;
      throw new Error(`the ledger answered ${outcome} for the delivered operation ${operationId}`);
    }
    // Disowned after it was settled.
    if (charge === 0 && outcome === 'settled') await kit.call(refundCharge, { ref: operationId }, task);
    crashPoint('operation-settled-in-ledger');
    const settlement = charge > 0 ? 'settled' : 'released';
    const operation = await task.completeBy((lease) =>
      endSettlement(sql, { lease, operationId, settlement }),
    );
    if (!operation || charge > 0) return;
    waiters.wake(operationId, { operation, delivered: null, isToldToOpener: false });
    kit.messaging.hint(operationEnded, { operationId, state: operation.state });
  };
