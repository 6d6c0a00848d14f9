import {
  operationEnded,
  type PayloadOf,
  releaseReservation,
  type settleOperation,
  settleReservation,
} from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { findOperation, markSettled } from '../store/operations.ts';

/**
 * Resolves the credit of an ended operation: settled where something was delivered for it, else released. The ledger
 * does each once per ref, so a repeat after a crash changes nothing.
 */
export const settleOperationHandler =
  ({ db, kit, waiters }: Deps) =>
  async ({ operationId }: PayloadOf<typeof settleOperation>, task: TaskContext): Promise<void> => {
    const operation = await findOperation(db, operationId);
    if (operation?.settlement !== 'pending') return;
    const command = operation.charge > 0 ? settleReservation : releaseReservation;
    const { outcome } = await kit.call(command, { ref: operationId }, task);
    if (operation.charge > 0 && outcome !== 'settled') {
      throw new Error(`the ledger answered ${outcome} for the delivered operation ${operationId}`);
    }
    crashPoint('operation-settled-in-ledger');
    await kit.messaging.transaction(db, async (tx, send) => {
      await task.complete(tx);
      await markSettled(tx, operationId, operation.charge > 0 ? 'settled' : 'released');
      await send.emit(operationEnded, { operationId, state: operation.state });
    });
    waiters.wake(operationId);
  };
