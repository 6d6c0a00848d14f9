import {
  type DeliveredTranscript,
  ServiceError,
  serviceError,
  type TranscriptAnswer,
  type TranscriptFormat,
} from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { isResolved, type Operation } from '../domain/operation.ts';
import { findCached } from '../store/cache.ts';
import { claimChargeReport } from '../store/operations.ts';
import { getTranscriptById } from '../store/transcripts.ts';
import { awaitOperation, type Wait } from './await-operation.ts';
import { deliver } from './deliver.ts';
import type { News } from './waiters.ts';

/**
 * Waits for an operation and answers it: the transcript, its typed error, or `pending`. A charge is told to exactly
 * one of its callers' requests, so that a customer who adds up X-Credits-Charged arrives at the ledger's sum.
 */
export async function answerOperation(
  deps: Deps,
  wait: Wait & { readonly format?: TranscriptFormat | undefined },
  context: Context,
): Promise<TranscriptAnswer> {
  const news = await awaitOperation(deps, wait, context.signal);
  if (!news) throw serviceError('request_not_found');
  const { operation } = news;
  if (!isResolved(operation)) return { state: 'pending', requestId: operation.id };
  if (operation.error) throw new ServiceError(operation.error);
  return await deliverOperation(deps, news, wait.format ?? operation.format, context.requestId);
}

async function deliverOperation(
  deps: Deps,
  { operation, delivered, creditsLeft }: News,
  format: TranscriptFormat,
  requestId: string,
): Promise<TranscriptAnswer> {
  const head =
    delivered?.head.format === format
      ? delivered.projected.then(() => delivered.head)
      : deliverFromCache(deps, operation, format);
  const told = await head;
  if (operation.charge === 0) return told;
  const isFirstReport = await claimChargeReport(deps.sql, operation.id, requestId);
  return {
    ...told,
    ...(creditsLeft !== null && { creditsLeft }),
    ...{ cache: 'MISS', creditsCharged: isFirstReport ? operation.charge : 0 },
  };
}

async function deliverFromCache(
  deps: Deps,
  operation: Operation,
  format: TranscriptFormat,
): Promise<DeliveredTranscript> {
  const { transcriptId, isFallback, translation } = operation;
  if (transcriptId === null || isFallback === null || translation === null) {
    throw new Error(`operation ${operation.id} is delivered without a transcript`);
  }
  const wanted = { ...operation, format };
  const entry = await findCached(deps.sql, wanted);
  // The language may lead elsewhere by now; what was delivered stays what it was.
  const isSame = entry.transcript?.id === transcriptId;
  const transcript = (isSame && entry.transcript) || (await getTranscriptById(deps.db, transcriptId));
  return await deliver(deps, wanted, { transcript, isFallback, translation }, entry);
}
