import type { LineRow, OpeningRefusal, RequestOf, RowNews, transcriptFetcher } from '@tds/contracts';
import { type ErrorCode, serviceError } from '@tds/errors';

export type OpenLineRequest = RequestOf<typeof transcriptFetcher.openLine>;
/** The result of an operation; null: under way; `waiting`: its turn has not come. */
export type Ending = (row: LineRow, asked: OpenLineRequest) => RowNews | 'waiting' | null;

const SHA = 'ab'.repeat(32);
const CRC = 0xdead_beef;

export const deliveredAs = (row: LineRow, asked: OpenLineRequest, charge: 0 | 1): RowNews => ({
  operationId: row.operationId,
  position: row.position,
  state: 'delivered',
  cache: charge === 0 ? 'HIT' : 'MISS',
  charge,
  transcriptId: '3f0e3c2a-5f0b-4b7a-9d5e-0a1b2c3d4e5f',
  video: {
    id: row.videoId,
    title: `Title of ${row.videoId}`,
    channel_id: null,
    channel_title: null,
    published_at: '2026-01-02',
    duration: 60,
    view_count: 7,
    thumbnail_url: null,
  },
  language: {
    requested: asked.language,
    delivered: 'en',
    kind: 'manual',
    fallback: asked.language !== 'en',
    translation: asked.language === 'en' ? 'not_requested' : 'unavailable',
  },
  words: 12,
  strategy: 'direct',
  format: asked.format,
  objectKey: `files/${row.videoId}`,
  bytes: 10,
  sha256: SHA,
  crc32: CRC,
  fetchedAt: '2026-01-03T00:00:00.000Z',
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
  given: Partial<OpeningRefusal> = {},
): OpeningRefusal => ({
  code,
  message: 'refused',
  retryAfterSeconds: null,
  required: null,
  available: null,
  buyUrl: code === 'insufficient_credits' ? 'http://buy' : null,
  ...given,
});
