import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { toRows } from './batches.ts';
import type { TestFetcher } from './start-fetcher.ts';

/** Batches of cold videos after `firstVideo`, and what a test reads of them. */
export const batchChecks = (fetcher: () => TestFetcher, firstVideo: number) => {
  let videos = firstVideo;
  const newBatch = (count = 3) => ({
    batchId: randomUUID(),
    accountId: randomUUID(),
    rows: toRows(Array.from({ length: count }, () => loadVideoId(++videos))),
  });
  /** The state of each row; null if it has not been opened. */
  const phase = async ({ rows }: ReturnType<typeof newBatch>) => {
    const ids = rows.map(({ operationId }) => operationId);
    const found = await fetcher().query<{ id: string; state: string }>(
      'SELECT id, state FROM operations WHERE id = ANY ($1)',
      [ids],
    );
    return ids.map((id) => found.find((row) => row.id === id)?.state ?? null);
  };
  /** Waits until nothing is due, then compares the account's charges and holds. */
  const booksAre = (accountId: string, expected: { charged: number; held: number }) =>
    eventually(async () => {
      const { ledger } = fetcher();
      const books = { charged: ledger.count('charged', accountId), held: ledger.count('held', accountId) };
      expect(books).toEqual(expected);
    });
  /** Cold fetches counted for the account today. */
  const counted = async (accountId: string): Promise<number> => {
    const rows = await fetcher().query<{ count: number }>('SELECT count FROM cold_counts WHERE scope = $1', [
      `key:${accountId}`,
    ]);
    return rows[0]?.count ?? 0;
  };
  return { newBatch, phase, booksAre, counted };
};
