import { randomUUID } from 'node:crypto';
import {
  type BatchChange,
  type ChangeCursor,
  type LineRow,
  type RequestOf,
  transcriptFetcher,
} from '@tds/contracts';
import type { Caller } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';

type Call = Caller<typeof transcriptFetcher>['call'];
type Opening = Partial<RequestOf<typeof transcriptFetcher.openLine>>;

const START: ChangeCursor = { version: 0, position: -1 };

/** Rows of a job, in their order, each a new attempt. */
export const toRows = (videoIds: readonly string[]): LineRow[] =>
  videoIds.map((videoId, position) => ({ operationId: randomUUID(), position, videoId }));

/** The calls of a bulk-orchestrator. */
export const lineCalls = (call: Call) => {
  const createContext = (accountId: string | null = null) => ({
    requestId: randomUUID(),
    accountId,
    signal: AbortSignal.timeout(600_000),
  });
  const openLine = ({ accountId = randomUUID(), ...overrides }: Opening & { rows: LineRow[] }) =>
    call(
      transcriptFetcher.openLine,
      {
        lineId: randomUUID(),
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
  const readChanges = (lineId: string, after: ChangeCursor = START) =>
    call(transcriptFetcher.readChanges, { lineId, after }, createContext());
  /** The last changes of each row over all pages, by operation. */
  const allChanges = async (lineId: string): Promise<Map<string, BatchChange>> => {
    const latest = new Map<string, BatchChange>();
    for (let after = START; ; ) {
      const { rows, upTo } = await readChanges(lineId, after);
      for (const row of rows) latest.set(row.operationId, row);
      if (rows.length === 0) return latest;
      after = upTo;
    }
  };
  /** Waits until all of `rows` have ended. */
  const waitForEnds = async (lineId: string, rows: readonly LineRow[]): Promise<BatchChange[]> =>
    await eventually(async () => {
      const changes = await allChanges(lineId);
      return rows.map(({ operationId, videoId }) => {
        const last = changes.get(operationId);
        if (!last || last.state === 'fetching')
          throw new Error(`${videoId} is ${last?.state ?? 'without changes'}`);
        return last;
      });
    });
  const haltLine = (lineId: string, accountId: string, as: 'held' | 'stopped' = 'stopped') =>
    call(transcriptFetcher.haltLine, { lineId, accountId, as }, createContext(accountId));
  const disownLine = (lineId: string, accountId: string) =>
    call(transcriptFetcher.disownLine, { lineId, accountId }, createContext(accountId));
  const versions = async (lineIds: string[]) =>
    (await call(transcriptFetcher.lineVersions, { lineIds }, createContext())).lines;
  const render = (
    request: RequestOf<typeof transcriptFetcher.renderTranscripts>,
    accountId: string | null = null,
  ) => call(transcriptFetcher.renderTranscripts, request, createContext(accountId));
  return { openLine, readChanges, allChanges, waitForEnds, haltLine, disownLine, versions, render };
};
