import {
  type AnsweredTranscript,
  type DeliveredTranscript,
  MAX_PROJECTED_FILE_BYTES,
  type StoredFormat,
  type TranscriptAnswer,
  type TranscriptSelection,
} from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import { isAnswerable } from '../domain/operation.ts';
import { type Hit, type KeptFile, toDeliveredTranscript } from '../domain/transcript.ts';
import { project } from '../store/projection.ts';
import { findTranscripts, loadRendered, lookUpCache, renderAndStore } from '../tracks/index.ts';
import type { ReadDeps } from './deps.ts';
import { awaitOperation, type ReadOutcome, type Wait } from './read-waiters.ts';
import { claimChargeReport } from './store/operations.ts';

/** Delivers a cached transcript in the wanted format, and renders it if no file exists. */
export async function deliver(
  deps: ReadDeps,
  selection: TranscriptSelection,
  { transcript, choice, file: storedFile }: Hit,
): Promise<DeliveredTranscript> {
  const { file, body } =
    (storedFile && (await findRendered(deps, storedFile))) ??
    (await renderAndStore(deps, { transcript, format: selection.format, file: storedFile }));
  const delivered = toDeliveredTranscript(selection, transcript, choice, file);
  await project(deps, selection, delivered, body);
  return delivered;
}

/** Null if the object store has lost the file. A file too large for the projection is not read. */
async function findRendered(
  { objects }: ReadDeps,
  file: KeptFile,
): Promise<{ file: KeptFile; body: Buffer | null } | null> {
  if (file.bytes > MAX_PROJECTED_FILE_BYTES && (await objects.stat(file.objectKey)))
    return { file, body: null };
  const body = await loadRendered(objects, file);
  return body && { file, body };
}

export type AnswerRequest = Wait & {
  /** The caller's own format, if given: it may differ from the format of the operation's opener. */
  readonly format: StoredFormat | undefined;
  /** The account's credits after the reservation, if this request made it. */
  readonly creditsLeft: number | null;
};

/**
 * Waits for an operation and answers the transcript, its typed error, or `pending`. Exactly one request reports the charge, so that the
 * sum of X-Credits-Charged equals the ledger's.
 */
export async function answerOperation(
  deps: ReadDeps,
  request: AnswerRequest,
  context: Context,
): Promise<TranscriptAnswer> {
  const outcome = await awaitOperation(deps, request, context.signal);
  if (!outcome) throw serviceError('request_not_found');
  const { operation, delivered, isReportedToOpener } = outcome;
  if (!isAnswerable(operation)) return { state: 'pending', requestId: operation.id };
  if (operation.error) throw new ServiceError(operation.error);
  const format = request.format ?? operation.format;
  const transcript = delivered?.format === format ? delivered : await fromCache(deps, operation, format);
  if (operation.charge === 0) return transcript;
  const isReportedHere =
    (request.isNew && isReportedToOpener) ||
    (await claimChargeReport(deps.sql, operation.id, context.requestId));
  return {
    ...transcript,
    ...(request.creditsLeft === null ? {} : { creditsLeft: request.creditsLeft }),
    cache: 'MISS',
    creditsCharged: isReportedHere ? operation.charge : 0,
  };
}

/** A delivered transcript stays the same, even if the language has another one by now. */
async function fromCache(
  deps: ReadDeps,
  operation: ReadOutcome['operation'],
  format: StoredFormat,
): Promise<AnsweredTranscript> {
  const { transcriptId, isFallback, translation } = operation;
  if (transcriptId === null || isFallback === null || translation === null) {
    throw new Error(`operation ${operation.id} is delivered without a transcript`);
  }
  const selection = { ...operation, format };
  const cacheAnswer = await lookUpCache(deps.sql, selection, deps.now());
  const choice = { isFallback, translation };
  if (cacheAnswer.kind === 'hit' && cacheAnswer.hit.transcript.id === transcriptId) {
    return await deliver(deps, selection, { ...cacheAnswer.hit, choice });
  }
  const [hit] = await findTranscripts(deps.sql, [transcriptId], format);
  if (!hit) throw new Error(`the transcript of operation ${operation.id} is gone`);
  return await deliver(deps, selection, { ...hit, choice });
}
