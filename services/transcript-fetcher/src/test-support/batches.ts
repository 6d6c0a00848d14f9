import { randomUUID } from 'node:crypto';
import {
  type BatchChange,
  type BatchRow,
  type ChangeCursor,
  type RequestOf,
  transcriptFetcher,
} from '@tds/contracts';
import type { Caller } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';

type Call = Caller<typeof transcriptFetcher>['call'];
type OpenRequest = Partial<RequestOf<typeof transcriptFetcher.submitBatch>>;

const START: ChangeCursor = { version: 0, position: -1 };

/** Rows of a job, in their order, each a new attempt. */
export const toRows = (videoIds: readonly string[]): BatchRow[] =>
  videoIds.map((videoId, position) => ({ operationId: randomUUID(), position, videoId }));

/** The calls of a bulk-orchestrator. */
export const batchCalls = (call: Call) => {
  const createContext = (accountId: string | null = null) => ({
    requestId: randomUUID(),
    accountId,
    signal: AbortSignal.timeout(600_000),
  });
  const submitBatch = ({ accountId = randomUUID(), ...overrides }: OpenRequest & { rows: BatchRow[] }) =>
    call(
      transcriptFetcher.submitBatch,
      {
        batchId: randomUUID(),
        accountId,
        keyId: null,
        language: 'en',
        fallback: true,
        format: 'srt',
        isAccepted: true,
        isForgotten: false,
        ...overrides,
      },
      createContext(accountId),
    );
  const readChanges = (batchId: string, after: ChangeCursor = START) =>
    call(transcriptFetcher.readChanges, { batchId, after }, createContext());
  /** The last changes of each row over all pages, by operation. */
  const allChanges = async (batchId: string): Promise<Map<string, BatchChange>> => {
    const latest = new Map<string, BatchChange>();
    for (let after = START; ; ) {
      const { rows, upTo } = await readChanges(batchId, after);
      for (const row of rows) latest.set(row.operationId, row);
      if (rows.length === 0) return latest;
      after = upTo;
    }
  };
  /** Waits until all of `rows` have ended. */
  const waitForEnds = async (batchId: string, rows: readonly BatchRow[]): Promise<BatchChange[]> =>
    await eventually(async () => {
      const changes = await allChanges(batchId);
      return rows.map(({ operationId, videoId }) => {
        const last = changes.get(operationId);
        if (!last || last.state === 'fetching')
          throw new Error(`${videoId} is ${last?.state ?? 'without changes'}`);
        return last;
      });
    });
  const pauseBatch = (batchId: string, accountId: string, as: 'held' | 'stopped' = 'stopped') =>
    call(transcriptFetcher.pauseBatch, { batchId, accountId, as }, createContext(accountId));
  const waiveBatch = (batchId: string, accountId: string) =>
    call(transcriptFetcher.waiveBatch, { batchId, accountId }, createContext(accountId));
  const versions = async (batchIds: string[]) =>
    (await call(transcriptFetcher.batchVersions, { batchIds }, createContext())).batches;
  const render = (
    request: RequestOf<typeof transcriptFetcher.renderTranscripts>,
    accountId: string | null = null,
  ) => call(transcriptFetcher.renderTranscripts, request, createContext(accountId));
  return { submitBatch, readChanges, allChanges, waitForEnds, pauseBatch, waiveBatch, versions, render };
};
