import { randomUUID } from 'node:crypto';
import { type BatchOutcome, type BatchRow, type RequestOf, transcriptFetcher } from '@tds/contracts';
import type { Caller } from '@tds/service-kit/testing';

type BatchRequest = RequestOf<typeof transcriptFetcher.fetchTranscripts>;

export type Batch = Omit<BatchRequest, 'rows' | 'waitMs'> & { readonly rows: readonly BatchRow[] };

/** A batch for these videos, with an account of its own unless told otherwise. */
export const batchOf = (videoIds: readonly string[], given: Partial<Batch> = {}): Batch => ({
  accountId: randomUUID(),
  keyId: randomUUID(),
  tier: 'paid',
  accountCreatedAt: '2026-01-01T00:00:00.000Z',
  language: 'en',
  fallback: true,
  format: 'srt',
  rows: videoIds.map((videoId) => ({ operationId: randomUUID(), videoId })),
  ...given,
});

/** As the owner of a job: sends what has not ended again and again, until all has. */
export const batchCalls = (call: Caller<typeof transcriptFetcher>['call']) => {
  const signal = AbortSignal.timeout(600_000);
  const contextOf = () => ({ requestId: randomUUID(), accountId: null, signal });
  const send = async (batch: Batch, waitMs = 5_000): Promise<BatchOutcome[]> => {
    const request = { ...batch, rows: [...batch.rows], waitMs };
    return (await call(transcriptFetcher.fetchTranscripts, request, contextOf())).rows;
  };
  return {
    send,
    /** The outcomes in the order of the rows. */
    finish: async (batch: Batch): Promise<BatchOutcome[]> => {
      const ended = new Map<string, BatchOutcome>();
      for (let rows = batch.rows; rows.length > 0; ) {
        for (const outcome of await send({ ...batch, rows })) ended.set(outcome.operationId, outcome);
        rows = rows.filter(({ operationId }) => !ended.has(operationId));
      }
      return batch.rows.flatMap(({ operationId }) => ended.get(operationId) ?? []);
    },
    selections: (videoIds: string[], { language = 'en', fallback = true } = {}) =>
      call(transcriptFetcher.findCachedSelections, { videoIds, language, fallback }, contextOf()),
    /** For the account, if one is named. */
    render: async (
      transcriptIds: string[],
      format: BatchRequest['format'],
      accountId: string | null = null,
    ) => {
      const context = { ...contextOf(), accountId };
      return (await call(transcriptFetcher.renderTranscripts, { transcriptIds, format }, context)).rows;
    },
  };
};

/** One word for what became of a row. */
export const wordFor = (outcome: BatchOutcome): string =>
  outcome.state === 'delivered' ? `${outcome.cache} ${outcome.charge}` : outcome.code;
