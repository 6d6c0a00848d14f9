import {
  type AnsweredTranscript,
  type DeliveredTranscript,
  LARGEST_PROJECTED_FILE,
  ServiceError,
  serviceError,
  type TranscriptAnswer,
  type TranscriptFormat,
  type TranscriptSelection,
  transcriptFetcher,
} from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { isAnswerable } from '../domain/operation.ts';
import type { CachedTranscript, Choice, Hit, KeptFile } from '../domain/transcript.ts';
import { findTranscripts, look } from '../store/cache.ts';
import { claimChargeReport } from '../store/operations.ts';
import { awaitOperation, type ReadOutcome, type Wait } from './read-waiters.ts';
import { loadRendered, renderAndKeep } from './track-files.ts';

/** A rendered transcript as callers are told of it. */
export const describe = (
  wanted: TranscriptSelection,
  transcript: CachedTranscript,
  { isFallback, translation }: Choice,
  { objectKey, bytes, sha256 }: KeptFile,
): DeliveredTranscript => ({
  state: 'delivered',
  cache: 'HIT',
  creditsCharged: 0,
  video: transcript.video,
  language: {
    requested: wanted.language,
    delivered: transcript.languageCode,
    kind: transcript.kind,
    fallback: isFallback,
    translation,
  },
  format: wanted.format,
  fetchedAt: transcript.cachedAt.toISOString(),
  objectKey,
  bytes,
  sha256,
});

/**
 * Leaves what a selection leads to in the projection, from which the gateway answers this caller and the next ones. A file
 * that is not given is large: it is read from the object store.
 */
export async function project(
  { bodies }: Pick<Deps, 'bodies'>,
  { fallback }: Pick<TranscriptSelection, 'fallback'>,
  delivered: DeliveredTranscript,
  file: Buffer | null,
): Promise<void> {
  const { video, language, format, bytes, sha256 } = delivered;
  // A refusal may end at any time, so it is answered from the table, where it expires.
  if (language.translation === 'refused') return;
  await bodies.write(
    transcriptFetcher.renderedSelection,
    [video.id, language.requested, String(fallback), format],
    delivered,
    {
      projection: transcriptFetcher.renderedFile,
      keyParts: [sha256],
      body: bytes > LARGEST_PROJECTED_FILE ? null : file,
    },
  );
}

type Needed = Pick<Deps, 'db' | 'objects' | 'files' | 'bodies'>;

/** Hands a cached transcript over in the wanted format: renders it if nobody has. */
export async function deliver(
  deps: Needed,
  wanted: TranscriptSelection,
  { transcript, choice, file: kept }: Hit,
): Promise<DeliveredTranscript> {
  const { file, body } =
    (kept && (await findRendered(deps, kept))) ?? (await renderAndKeep(deps, transcript, wanted.format));
  const delivered = describe(wanted, transcript, choice, file);
  await project(deps, wanted, delivered, body);
  return delivered;
}

/** Null if the object store has lost it. One that is too large for the projection is not read. */
async function findRendered(
  { objects }: Needed,
  file: KeptFile,
): Promise<{ file: KeptFile; body: Buffer | null } | null> {
  if (file.bytes > LARGEST_PROJECTED_FILE && (await objects.stat(file.objectKey)))
    return { file, body: null };
  const body = await loadRendered(objects, file);
  return body && { file, body };
}

type Asked = Wait & {
  /** What this caller asks for, if it says so: who joins an operation may want another format than who opened it. */
  readonly format: TranscriptFormat | undefined;
  /** What the account can spend after the operation's reservation, if this request made it. */
  readonly creditsLeft: number | null;
};
type NeededAnswerOperation = Pick<Deps, 'db' | 'sql' | 'objects' | 'files' | 'bodies' | 'waiters' | 'now'>;

/**
 * Waits for an operation and answers it: the transcript, its typed error, or `pending`. A charge is told to exactly one
 * of its callers' requests, so that a customer who adds up X-Credits-Charged arrives at the ledger's sum.
 */
export async function answerOperation(
  deps: NeededAnswerOperation,
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
  deps: NeededAnswerOperation,
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
