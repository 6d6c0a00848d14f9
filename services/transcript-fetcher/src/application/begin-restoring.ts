import { transcriptFetcher } from '@tds/contracts';
import { crashPoint, sqlState } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { type LostBatch, type RestoringRow, restoreBatch } from '../store/restore-batch.ts';

/** Another call with the same rows has opened them, and they have ended since: they have to be looked at again. */
const UNIQUE_VIOLATION = '23505';

/** Fetches lost tracks again for nothing, each with everybody who waits for it. */
export async function beginRestoring(
  { sql, messaging }: Pick<Deps, 'sql' | 'messaging'>,
  batch: LostBatch,
): Promise<RestoringRow[]> {
  const restoring = await messaging
    .statement({ enqueues: transcriptFetcher.fetchTracks, most: 0 }, (sending) =>
      restoreBatch(sql, batch, sending),
    )
    .catch((error: unknown): RestoringRow[] => {
      if (sqlState(error) === UNIQUE_VIOLATION) return [];
      throw error;
    });
  crashPoint('batch-restoring');
  return restoring;
}
