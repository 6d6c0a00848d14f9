import { randomUUID } from 'node:crypto';
import { each } from '@tds/base';
import { bulkOrchestrator, type PayloadOf, transcriptFetcher } from '@tds/contracts';
import { onEvent, onSchedule } from '@tds/kit';
import { settleNow } from './credits/credits.ts';
import { settlementQueue } from './credits/store/settlements.ts';
import type { Deps } from './deps.ts';
import { abandonedError } from './domain/operation.ts';
import { waitingPriorities } from './fetches/store/rows.ts';
import { MAX_RESERVING_SECONDS } from './fetches/store/workers.ts';
import { isMissingEntries } from './library/store/library.ts';
import type { ReadDeps } from './reads/deps.ts';
import { abandonedReads, failRead } from './reads/store/operations.ts';

const SETTLEMENT_BATCH_SIZE = 50;

/**
 * Takes over the work of dead processes and of lost hints: fetches, reads that never began, waiting rows, and settlements. Runs on every
 * instance.
 */
export const takeOverLostWork = onSchedule(async (deps: ReadDeps) => {
  const steps = [
    () => deps.worker.adopt(),
    () => wakePriorities(deps),
    () => endAbandonedReads(deps),
    () => settlePending(deps),
  ];
  await each<() => Promise<void>>((step) => step())(steps);
});

const wakePriorities = async ({ sql, worker }: ReadDeps): Promise<void> => {
  for (const priority of await waitingPriorities(sql)) worker.wake(priority);
};

/** Their process died before they began; the ledger may hold their credit. */
const endAbandonedReads = async ({ sql }: ReadDeps): Promise<void> => {
  const counters = { scopes: [], day: '1970-01-01' };
  for (const { id } of await abandonedReads(sql, MAX_RESERVING_SECONDS)) {
    await failRead(sql, id, { error: abandonedError, counters, settlementId: randomUUID() });
  }
};

const settlePending = async (deps: ReadDeps): Promise<void> => {
  for (const settlement of await settlementQueue.claim(deps.pool, SETTLEMENT_BATCH_SIZE))
    await settleNow(deps, settlement);
};

/** After a restore, entries of jobs that ended since the copy are missing in libraries; before one, none is. */
const findLostDeliveries = async (
  { sql, db, messaging }: Deps,
  { jobId: batchId, accountId, counts }: PayloadOf<typeof bulkOrchestrator.jobCompleted>,
): Promise<void> => {
  const delivered = counts.cached + counts.fetched;
  if (await isMissingEntries(sql, { jobId: batchId, accountId, delivered }))
    await messaging.transaction(db, (_tx, send) => send.emit(transcriptFetcher.deliveriesLost, { batchId }));
};

export const jobCompleted = onEvent(bulkOrchestrator.jobCompleted, findLostDeliveries);
export const jobCancelled = onEvent(bulkOrchestrator.jobCancelled, findLostDeliveries);
