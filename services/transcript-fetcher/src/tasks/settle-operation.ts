import { creditsLedger, type PayloadOf, transcriptFetcher } from '@tds/contracts';
import {
  crashPoint,
  isDatabaseAway,
  isServiceAway,
  LeaseLost,
  onTask,
  type TaskContext,
} from '@tds/service-kit';
import { chargeAnew, reportUncollected } from '../application/credits.ts';
import type { Deps } from '../deps.ts';
import { endSettlement, findOperation } from '../store/operations.ts';
import { parkSettlement } from '../store/unresolved.ts';

type Payload = PayloadOf<typeof transcriptFetcher.settleOperation>;

/**
 * Resolves the credit of an ended operation: settled if something was delivered for it, else released. The ledger does
 * each once per ref, so a repeat after a crash changes nothing. Who waits for what cost nothing is answered now.
 */
async function resolve(deps: Deps, payload: Payload, task: TaskContext): Promise<void> {
  const { db, sql, messaging, waiters } = deps;
  const { operationId } = payload;
  const charge = payload.charge ?? (await findOperation(db, operationId))?.charge;
  if (charge === undefined) return;
  const settlement =
    charge > 0 ? await collect(deps, operationId, task) : await giveBack(deps, operationId, task);
  if (settlement === null) return;
  crashPoint('operation-settled-in-ledger');
  const operation = await task.completeBy((lease) => endSettlement(sql, { lease, operationId, settlement }));
  if (!operation || charge > 0) return;
  waiters.wake(operationId, { operation, delivered: null, isReportedToOpener: false });
  messaging.hint(transcriptFetcher.operationEnded, { operationId, state: operation.state });
}

/** Null if the charge is void by now: another task gives the credit back. */
async function collect(deps: Deps, id: string, task: TaskContext): Promise<'settled' | 'uncollected' | null> {
  const { outcome } = await deps.call(creditsLedger.settleReservation, { ref: id }, task);
  if (outcome === 'settled') return outcome;
  const operation = await findOperation(deps.db, id);
  if (!operation || operation.charge === 0) return null;
  if (outcome === 'released')
    throw new Error(`the ledger answered ${outcome} for the delivered operation ${id}`);
  const settlement = await chargeAnew(deps, operation, task);
  if (settlement === 'uncollected') reportUncollected(deps, operation);
  return settlement;
}

async function giveBack({ call }: Deps, id: string, task: TaskContext): Promise<'released'> {
  const { outcome } = await call(creditsLedger.releaseReservation, { ref: id }, task);
  // Disowned after it was settled.
  if (outcome === 'settled') await call(creditsLedger.refundCharge, { ref: id }, task);
  return 'released';
}

/**
 * While others are away nothing is wrong with the operation: the sweeper begins anew with it when this task has ended.
 * What fails for any other reason, time and again, is parked with its dead letter.
 */
export const settleOperation = onTask(
  transcriptFetcher.settleOperation,
  async (deps: Deps, payload, task) => {
    try {
      await resolve(deps, payload, task);
    } catch (error) {
      if (!task.isLastAttempt || task.signal.aborted || error instanceof LeaseLost) throw error;
      if (isAway(error)) return;
      await park(deps, payload, error, task);
    }
  },
);

/** The ledger, the broker or our own database. */
const isAway = (error: unknown): boolean => isServiceAway(error) || isDatabaseAway(error);

async function park(
  { db, messaging, log }: Deps,
  { operationId }: Payload,
  error: unknown,
  task: TaskContext,
): Promise<void> {
  await messaging.transaction(db, async (tx) => {
    await task.bury(tx, String(error));
    await parkSettlement(tx, operationId);
  });
  log.error('the credit of an operation could not be resolved: it is left to people', {
    operationId,
    error,
  });
}
