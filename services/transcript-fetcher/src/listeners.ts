import { bulkOrchestrator, identity, transcriptFetcher } from '@tds/contracts';
import { onBroadcast, onEvent } from '@tds/kit';
import { batchesOfKey, pauseBatch } from './batches/store/batches.ts';
import { settleNow } from './credits/credits.ts';
import type { Deps } from './deps.ts';
import { removeAccount, removeJob } from './library/store/library.ts';
import { queueUnsearchable } from './library/store/library-index.ts';
import type { ReadDeps } from './reads/deps.ts';

/** Wakes callers of this instance whose reads another instance ended. */
export const rowsEnded = onBroadcast(transcriptFetcher.rowsEnded, async ({ waiters }: ReadDeps, { reads }) => {
  for (const id of reads) waiters.wake(id);
});

/** Wakes the worker, which may have a slot for rows that wait elsewhere. */
export const rowsReady = onBroadcast(transcriptFetcher.rowsReady, async ({ worker }: ReadDeps, { priority }) =>
  worker.wake(priority),
);

/** Pauses the jobs of a key that was revoked at once, whether or not their service runs. It may open no more rows. */
export const keyRevoked = onEvent(identity.keyRevoked, async (deps: Deps, { accountId, keyId, atOnce }) => {
  for (const batchId of atOnce ? await batchesOfKey(deps.sql, accountId, keyId) : []) {
    const { settlement } = await pauseBatch(deps.sql, { batchId, accountId }, 'held');
    void settleNow(deps, settlement);
  }
});

/** Whoever looks may search: the library is searchable by then. */
export const sessionOpened = onEvent(identity.sessionOpened, ({ sql }: Deps, { accountId }) =>
  queueUnsearchable(sql, accountId),
);

/** A closed account is never reopened. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async ({ db, messaging }: Deps, { accountId, status }, { once }) => {
    if (status !== 'closed') return;
    await messaging.transaction(db, (tx) => once(tx, () => removeAccount(tx, accountId)));
  },
);

export const jobErased = onEvent(bulkOrchestrator.jobErased, ({ db, messaging }: Deps, { jobId }, { once }) =>
  messaging.transaction(db, (tx) => once(tx, () => removeJob(tx, jobId))),
);
