import { serviceError, transcriptFetcher } from '@tds/contracts';
import { each, onSchedule, walk, walkAll } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import {
  abandonedError,
  LONGEST_BATCH_MS,
  LONGEST_OPERATION_MS,
  LONGEST_RESERVING_MS,
  SETTLEMENT_OVERDUE_MS,
} from '../domain/operation.ts';
import { failFetch } from '../store/fetches.ts';
import { failOperation, failOperations } from '../store/operations.ts';
import { findOverdueFetches, findStuckReserving, findUnsettled } from '../store/unresolved.ts';

type Id = { readonly id: string };
type Unsettled = Id & { readonly charge: number };

const overdueAfter = { interactiveMs: LONGEST_OPERATION_MS, batchMs: LONGEST_BATCH_MS };

/** Every accepted operation ends by itself: here end those whose process, message or task was lost for good. */
export const endAbandonedOperations = onSchedule(async (deps: Deps, { signal }) => {
  const { db } = deps;
  await walkAll([
    walk<Id>(
      (after) => findStuckReserving(db, LONGEST_RESERVING_MS, after?.id),
      each(abandonReserving(deps)),
      signal,
    ),
    walk<Id>((after) => findOverdueFetches(db, overdueAfter, after?.id), each(abandonFetch(deps)), signal),
    walk<Unsettled>((after) => findUnsettled(db, SETTLEMENT_OVERDUE_MS, after?.id), settleAll(deps), signal),
  ]);
});

const abandonReserving =
  ({ db, messaging }: Deps) =>
  ({ id }: { id: string }): Promise<void> =>
    messaging.transaction(db, async (tx, send) => {
      const failed = await failOperation(tx, id, abandonedError, 'pending');
      if (failed) await send.enqueue(transcriptFetcher.settleOperation, { operationId: id, charge: 0 });
    });

const abandonFetch =
  ({ db, messaging }: Deps) =>
  ({ id: fetchId }: { id: string }): Promise<void> =>
    messaging.transaction(db, async (tx, send) => {
      await failFetch(tx, fetchId);
      const { toSettle } = await failOperations(tx, fetchId, serviceError('relay_attempt_cap').data);
      for (const operationId of toSettle) {
        await send.enqueue(transcriptFetcher.settleOperation, { operationId, charge: 0 });
      }
    });

/** Only if no task is open: the ledger may be away, and one that asks is enough. */
const settleAll =
  ({ db, messaging }: Deps) =>
  (page: readonly Unsettled[]): Promise<void> =>
    messaging.transaction(db, async (_tx, send) => {
      for (const { id, charge } of page) {
        await send.enqueue(transcriptFetcher.settleOperation, { operationId: id, charge }, { key: id });
      }
    });
