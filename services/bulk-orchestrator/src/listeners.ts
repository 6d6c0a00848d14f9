import { readDatabaseClock } from '@tds/base';
import {
  type AccountStatus,
  creditsLedger,
  identity,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';
import { hasCode } from '@tds/errors';
import { onBroadcast, onEvent, runIfNewest } from '@tds/kit';
import { cancelLockedJob, changeJob, type JobLock, pauseJob, resumeJob } from './application/change-job.ts';
import type { Deps } from './deps.ts';
import { followWebhook } from './store/admissions.ts';
import { findActiveJobIds, wakeForCredits } from './store/clocks.ts';
import { findJob, lockJob } from './store/jobs.ts';
import { repeatDelivered } from './store/rows.ts';

export const rowsEnded = onBroadcast(transcriptFetcher.rowsEnded, async ({ changes }: Deps, { batches }) => {
  for (const { batchId, version, isOver } of batches) changes.hear(batchId, version, isOver);
});

/** Wakes the oldest waiting job, which wakes the next one if credits remain. */
export const creditsGranted = onEvent(creditsLedger.creditsGranted, async ({ db }: Deps, { accountId }) => {
  await wakeForCredits(db, accountId);
});

/** Pauses the jobs of a key that was revoked at once, until an active key takes them over. Idempotent. */
export const keyRevoked = onEvent(identity.keyRevoked, async (deps: Deps, { accountId, keyId, atOnce }) => {
  if (!atOnce) return;
  for (const id of await findActiveJobIds(deps.db, { accountId, keyId }))
    await changeJob(deps, id, async (lock) =>
      lock.job.keyId === keyId ? pauseJob(lock, { reason: 'key_revoked', lookAt: null }) : null,
    );
});

const follow = async (lock: JobLock, status: AccountStatus) => {
  if (status === 'closed') await cancelLockedJob(lock);
  else if (status === 'frozen') await pauseJob(lock, { reason: 'account_frozen', lookAt: null });
  else if (lock.job.pauseReason === 'account_frozen') await resumeJob(lock);
};

/** Cancels jobs of a closed account and pauses those of a frozen one, in one transaction, for the newest status only. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  (deps: Deps, { accountId, status }, context) =>
    runIfNewest(deps, context, async (tx, send) => {
      for (const id of await findActiveJobIds(tx, { accountId })) {
        const job = await lockJob(tx, id);
        if (job) await follow({ tx, send, job, now: await readDatabaseClock(tx) }, status);
      }
    }),
);

export const webhookConfigured = onEvent(webhookDispatcher.webhookConfigured, ({ db }: Deps, event) =>
  db.$transaction((tx) => followWebhook(tx, event, true)),
);

export const webhookRemoved = onEvent(webhookDispatcher.webhookRemoved, ({ db }: Deps, event) =>
  db.$transaction((tx) => followWebhook(tx, event, false)),
);

/** Opens again what an ended job has delivered, so that it returns to the library. Changes of these rows change nothing here. */
export const deliveriesLost = onEvent(
  transcriptFetcher.deliveriesLost,
  async ({ db, call }: Deps, { batchId }, context) => {
    const job = await findJob(db, batchId);
    const rows = job?.erasedAt === null ? await repeatDelivered(db, batchId) : [];
    if (!job || rows.length === 0) return;
    const { accountId, language, fallback, format, monitorId } = job;
    const head = { batchId, accountId, monitorId, keyId: null, language, fallback, format };
    const opening = { ...head, rows, isAccepted: true, isForgotten: false, isDelivered: true };
    await call(transcriptFetcher.submitBatch, opening, context).catch((error: unknown) => {
      if (!hasCode(error, 'account_closed')) throw error;
    });
  },
);

/** Saves the delivery status of the job's newest event. Events may arrive in any order. */
export const jobDeliveryChanged = onEvent(
  webhookDispatcher.jobDeliveryChanged,
  async ({ db }: Deps, { jobId: id, status: webhookStatus, version: webhookVersion }) => {
    const where = { id, webhookVersion: { lt: webhookVersion } };
    await db.job.updateMany({ where, data: { webhookStatus, webhookVersion } });
  },
);
