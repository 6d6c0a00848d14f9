import { ServiceError, serviceError, type TranscriptAnswer, type TranscriptFormat } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { isResolved, type Operation } from '../domain/operation.ts';
import { findCached } from '../store/cache.ts';
import { claimChargeReport } from '../store/operations.ts';
import { getTranscriptById } from '../store/transcripts.ts';
import { awaitOperation } from './await-operation.ts';
import { deliver } from './deliver.ts';

/**
 * Waits for an operation and answers it: the transcript, its typed error, or `pending`. A charge is told in exactly
 * one answer, so that a customer who adds up X-Credits-Charged arrives at the ledger's sum.
 */
export async function answerOperation(
  deps: Deps,
  wait: { id: string; waitMs: number; format?: TranscriptFormat | undefined },
  context: Context,
): Promise<TranscriptAnswer> {
  const operation = await awaitOperation(deps, wait.id, wait.waitMs, context.signal);
  if (!operation) throw serviceError('request_not_found');
  if (!isResolved(operation)) return { state: 'pending', requestId: operation.id };
  if (operation.error) throw new ServiceError(operation.error);
  return await deliverOperation(deps, operation, wait.format ?? operation.format);
}

async function deliverOperation(
  deps: Deps,
  operation: Operation,
  format: TranscriptFormat,
): Promise<TranscriptAnswer> {
  const { transcriptId, isFallback, translation } = operation;
  if (transcriptId === null || isFallback === null || translation === null) {
    throw new Error(`operation ${operation.id} is delivered without a transcript`);
  }
  const wanted = { ...operation, format };
  const entry = await findCached(deps.db, wanted);
  // The language may lead elsewhere by now; what was delivered stays what it was.
  const isSame = entry.transcript?.id === transcriptId;
  const transcript = (isSame && entry.transcript) || (await getTranscriptById(deps.db, transcriptId));
  const head = await deliver(deps, wanted, { transcript, isFallback, translation }, entry);
  if (operation.charge === 0) return head;
  const isFirstReport = await claimChargeReport(deps.db, operation.id);
  return { ...head, cache: 'MISS', creditsCharged: isFirstReport ? operation.charge : 0 };
}
