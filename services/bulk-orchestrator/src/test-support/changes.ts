import type { BatchChange, BatchRow, OpeningRefusal, RequestOf, transcriptFetcher } from '@tds/contracts';
import { newDelivery } from '@tds/contracts/testing';
import { type ErrorCode, serviceError } from '@tds/errors';

export type SubmitBatchRequest = RequestOf<typeof transcriptFetcher.submitBatch>;
/** The result of an operation; null: under way; `waiting`: its turn has not come. */
export type Ending = (row: BatchRow, request: SubmitBatchRequest) => BatchChange | 'waiting' | null;

export const deliveredAs = (row: BatchRow, request: SubmitBatchRequest, charge: 0 | 1): BatchChange => ({
  operationId: row.operationId,
  position: row.position,
  state: 'delivered',
  cache: charge === 0 ? 'HIT' : 'MISS',
  charge,
  delivery: newDelivery({
    title: `Title of ${row.videoId}`,
    published_at: '2026-01-02',
    duration: 60,
    view_count: 7,
    fallback: request.language !== 'en',
    strategy: 'direct',
    words: 12,
    object_key: `files/${row.videoId}`,
    bytes: 10,
    crc32: 0xdead_beef,
  }),
});

export const failedWith = (code: ErrorCode, retryAfterSeconds: number | null = null): Ending => {
  const { errorClass, message, retryable } = serviceError(code as 'no_captions').data;
  return ({ operationId, position }) => ({
    operationId,
    position,
    state: 'failed',
    code,
    errorClass,
    message,
    retryable,
    retryAfterSeconds,
  });
};

export const refusedWith = (
  code: OpeningRefusal['code'],
  fields: Partial<OpeningRefusal> = {},
): OpeningRefusal => ({
  code,
  message: 'refused',
  retryAfterSeconds: null,
  required: null,
  available: null,
  buyUrl: code === 'insufficient_credits' ? 'http://buy' : null,
  ...fields,
});
