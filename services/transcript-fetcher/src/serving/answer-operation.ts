import {
  type AnsweredTranscript,
  type DeliveredTranscript,
  ServiceError,
  serviceError,
  type TranscriptAnswer,
  type TranscriptFormat,
} from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { isAnswerable, type Outcome } from '../domain/operation.ts';
import { findCached } from '../store/cache.ts';
import { claimChargeReport } from '../store/operations.ts';
import { getTranscriptById } from '../store/transcripts.ts';
import { awaitOperation, type Wait } from './await-operation.ts';
import { deliver } from './deliver.ts';
import type { News } from './waiters.ts';

type Asked = Wait & {
  /** What this caller asks for, where it says so: who joins an operation may want another than whoever opened it. */
  readonly format: TranscriptFormat | undefined;
  /** What the account can spend after the operation's reservation, where this request made it. */
  readonly creditsLeft?: number | null;
};

/**
 * Waits for an operation and answers it: the transcript, its typed error, or `pending`. A charge is told to exactly
 * one of its callers' requests, so that a customer who adds up X-Credits-Charged arrives at the ledger's sum.
 */
export async function answerOperation(deps: Deps, asked: Asked, context: Context): Promise<TranscriptAnswer> {
  const news = await awaitOperation(deps, asked, context.signal);
  if (!news) throw serviceError('request_not_found');
  const { operation } = news;
  if (!isAnswerable(operation)) return { state: 'pending', requestId: operation.id };
  if (operation.error) throw new ServiceError(operation.error);
  const head = await headFor(deps, news, asked.format ?? operation.format);
  if (operation.charge === 0) return head;
  const isTold =
    (asked.isNew && news.isToldToOpener) ||
    (await claimChargeReport(deps.sql, operation.id, context.requestId));
  return {
    ...head,
    ...(asked.creditsLeft != null && { creditsLeft: asked.creditsLeft }),
    ...{ cache: 'MISS', creditsCharged: isTold ? operation.charge : 0 },
  };
}

const headFor = async (
  deps: Deps,
  { operation, delivered }: News,
  format: TranscriptFormat,
): Promise<AnsweredTranscript> =>
  delivered?.format === format ? delivered : await deliverFromCache(deps, operation, format);

async function deliverFromCache(
  deps: Deps,
  operation: Outcome,
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
  const other = isSame ? null : await getTranscriptById(deps.db, transcriptId);
  const transcript = other?.transcript ?? entry.transcript;
  if (!transcript) throw new Error(`the transcript of operation ${operation.id} is gone`);
  const known = { ...entry, video: other?.video ?? entry.video };
  return await deliver(deps, wanted, { transcript, isFallback, translation }, known);
}
