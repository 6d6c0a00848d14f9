import type { BatchOutcome, BatchRow, ServiceErrorData } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { RowStanding } from '../domain/batch-row.ts';
import type { Hit } from '../domain/cache-entry.ts';
import type { RenderedFile } from '../domain/transcript.ts';
import type { BatchRequest } from './open-rows.ts';
import { isLost } from './serve-cached.ts';
import { renderAndKeep } from './transcript-files.ts';

type Wanted = Pick<BatchRequest, 'language' | 'format'>;

/** What the caller is told of a row; null if that is under way. Renders the file if nobody has. */
export async function outcomeOf(
  deps: Pick<Deps, 'db' | 'objects'>,
  wanted: Wanted,
  { operationId }: BatchRow,
  standing: RowStanding,
): Promise<BatchOutcome | null> {
  if (standing.kind === 'failed') return toFailed(operationId, standing.error);
  if (standing.kind !== 'hit') return null;
  const { hit, charge } = standing;
  try {
    const file = hit.rendered ?? (await renderAndKeep(deps, hit.transcript, wanted.format)).file;
    return toDelivered(operationId, wanted, { ...hit, charge, file });
  } catch (error) {
    if (!isLost(error)) throw error;
    return toFailed(operationId, error.data);
  }
}

const toFailed = (operationId: string, error: ServiceErrorData): BatchOutcome => ({
  operationId,
  state: 'failed',
  code: error.code,
  errorClass: error.errorClass,
  retryable: error.retryable,
  message: error.message,
  retryAfterSeconds: error.retryAfterSeconds ?? null,
});

type Delivered = Omit<Hit, 'rendered'> & { readonly charge: number; readonly file: RenderedFile };

const toDelivered = (
  operationId: string,
  { language, format }: Wanted,
  { transcript, choice, charge, file: { objectKey, bytes, sha256 } }: Delivered,
): BatchOutcome => ({
  ...{ operationId, state: 'delivered', charge, transcriptId: transcript.id },
  cache: charge > 0 ? 'MISS' : 'HIT',
  video: transcript.video,
  language: {
    requested: language,
    delivered: transcript.languageCode,
    kind: transcript.kind,
    fallback: choice.isFallback,
    translation: choice.translation,
  },
  strategy: transcript.strategy,
  ...{ format, objectKey, bytes, sha256 },
  fetchedAt: transcript.cachedAt.toISOString(),
});
