import { transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import { settleNow } from '../credits/index.ts';
import type { ReadDeps } from '../reads/index.ts';
import { listChanges } from './changes.ts';
import { renderAll } from './row-files.ts';
import {
  batchVersions as find,
  listBatches as list,
  pauseBatch as pause,
  waiveBatch as waive,
} from './store/batches.ts';
import { submitBatch as open } from './submit-batch.ts';

export const submitBatch = onCommand(transcriptFetcher.submitBatch, open);

/** Rows that have begun continue, and are charged if they are delivered. */
export const pauseBatch = onCommand(transcriptFetcher.pauseBatch, async (deps: ReadDeps, { as, ...ids }) => {
  const { version, settlement } = await pause(deps.sql, ids, as);
  if (version === null) throw serviceError('job_not_found');
  crashPoint('batch-paused');
  void settleNow(deps, settlement);
  return { version };
});

/** For a batch whose job no longer exists: nothing more begins, and nothing of it is charged. */
export const waiveBatch = onCommand(transcriptFetcher.waiveBatch, async (deps: ReadDeps, ids) => {
  const { settlement } = await pause(deps.sql, ids, 'stopped');
  await waive(deps.sql, ids);
  void settleNow(deps, settlement);
  return {};
});

export const readChanges = onCommand(transcriptFetcher.readChanges, (deps: ReadDeps, { batchId, after }) =>
  listChanges(deps, batchId, after),
);

export const batchVersions = onCommand(
  transcriptFetcher.batchVersions,
  async ({ sql }: ReadDeps, { batchIds }) => ({ batches: await find(sql, batchIds) }),
);

export const listBatches = onCommand(
  transcriptFetcher.listBatches,
  async ({ sql }: ReadDeps, { after, limit }) => ({ batches: await list(sql, after, limit) }),
);

export const renderTranscripts = onCommand(
  transcriptFetcher.renderTranscripts,
  async (deps: ReadDeps, { format, transcripts }, { accountId }) => ({
    rows: await renderAll(deps, transcripts, { format, accountId }),
  }),
);
