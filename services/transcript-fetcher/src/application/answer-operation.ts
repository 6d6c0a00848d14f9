import {
  type AnsweredTranscript,
  ServiceError,
  serviceError,
  type TranscriptAnswer,
  type TranscriptFormat,
} from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { isAnswerable } from '../domain/operation.ts';
import { findTranscripts, look } from '../store/cache.ts';
import { claimChargeReport } from '../store/operations.ts';
import { awaitOperation, type Wait } from './await-operation.ts';
import { deliver } from './deliver.ts';
import type { ReadOutcome } from './read-waiters.ts';

type Asked = Wait & {
  /** What this caller asks for, if it says so: who joins an operation may want another format than who opened it. */
  readonly format: TranscriptFormat | undefined;
  /** What the account can spend after the operation's reservation, if this request made it. */
  readonly creditsLeft: number | null;
};
type Needed = Pick<Deps, 'db' | 'sql' | 'objects' | 'files' | 'bodies' | 'waiters' | 'now'>;

/**
 * Waits for an operation and answers it: the transcript, its typed error, or `pending`. A charge is told to exactly one
 * of its callers' requests, so that a customer who adds up X-Credits-Charged arrives at the ledger's sum.
 */
export async function answerOperation(
  deps: Needed,
  asked: Asked,
  context: Context,
): Promise<TranscriptAnswer> {
  const outcome = await awaitOperation(deps, asked, context.signal);
  if (!outcome) throw serviceError('request_not_found');
  const { operation, delivered, isToldToOpener } = outcome;
  if (!isAnswerable(operation)) return { state: 'pending', requestId: operation.id };
  if (operation.error) throw new ServiceError(operation.error);
  const format = asked.format ?? operation.format;
  const transcript = delivered?.format === format ? delivered : await fromCache(deps, operation, format);
  if (operation.charge === 0) return transcript;
  const isToldHere =
    (asked.isNew && isToldToOpener) || (await claimChargeReport(deps.sql, operation.id, context.requestId));
  return {
    ...transcript,
    ...(asked.creditsLeft === null ? {} : { creditsLeft: asked.creditsLeft }),
    cache: 'MISS',
    creditsCharged: isToldHere ? operation.charge : 0,
  };
}

/** What was delivered stays what it was, also where the language leads elsewhere by now. */
async function fromCache(
  deps: Needed,
  operation: ReadOutcome['operation'],
  format: TranscriptFormat,
): Promise<AnsweredTranscript> {
  const { transcriptId, isFallback, translation } = operation;
  if (transcriptId === null || isFallback === null || translation === null) {
    throw new Error(`operation ${operation.id} is delivered without a transcript`);
  }
  const wanted = { ...operation, format };
  const known = await look(deps.sql, wanted, deps.now());
  const choice = { isFallback, translation };
  if (known.kind === 'hit' && known.hit.transcript.id === transcriptId) {
    return await deliver(deps, wanted, { ...known.hit, choice });
  }
  const [kept] = await findTranscripts(deps.sql, [transcriptId], format);
  if (!kept) throw new Error(`the transcript of operation ${operation.id} is gone`);
  return await deliver(deps, wanted, { ...kept, choice });
}
