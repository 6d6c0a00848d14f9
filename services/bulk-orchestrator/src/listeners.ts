import {
  type AccountStatus,
  creditsLedger,
  identity,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';
import { onBroadcast, onEvent } from '@tds/service-kit';
import { cancelLocked, changeJob, type Locked, pauseJob, resumeJob } from './application/change-job.ts';
import type { Deps } from './deps.ts';
import { followWebhook } from './store/admissions.ts';
import { activeJobsOf, wakeForCredits } from './store/clocks.ts';
import { databaseNow, lockJob } from './store/jobs.ts';

export const rowsEnded = onBroadcast(
  transcriptFetcher.rowsEnded,
  async ({ news }: Pick<Deps, 'news'>, { lines }) => {
    for (const { lineId, version, isOver } of lines) news.hear(lineId, version, isOver);
  },
);

/** The oldest job that waits has what it can get; if something is left, it wakes the next one. */
export const creditsGranted = onEvent(creditsLedger.creditsGranted, async ({ db }: Deps, { accountId }) =>
  wakeForCredits(db, accountId),
);

/** What a key began that was cut off begins nothing more, until an active key takes it over. Pausing twice is pausing once. */
export const keyRevoked = onEvent(identity.keyRevoked, async (deps: Deps, { accountId, keyId, atOnce }) => {
  if (!atOnce) return;
  for (const id of await activeJobsOf(deps.db, { accountId, keyId }))
    await changeJob(deps, id, async (locked) =>
      locked.job.keyId === keyId ? pauseJob(locked, { reason: 'key_revoked', lookAt: null }) : null,
    );
});

const follow = async (locked: Locked, status: AccountStatus): Promise<void> => {
  if (status === 'closed') await cancelLocked(locked);
  else if (status === 'frozen') await pauseJob(locked, { reason: 'account_frozen', lookAt: null });
  else if (locked.job.pauseReason === 'account_frozen') await resumeJob(locked);
};

/** Jobs of a closed account are cancelled, those of a frozen one wait. All of them at once, for the newest status only. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  ({ db, messaging }: Deps, { accountId, status }, context) =>
    messaging.transaction(db, (tx, send) =>
      context.onceIfNewest(tx, async () => {
        for (const id of await activeJobsOf(tx, { accountId })) {
          const job = await lockJob(tx, id);
          if (job) await follow({ tx, send, job, now: await databaseNow(tx) }, status);
        }
      }),
    ),
);

export const webhookConfigured = onEvent(
  webhookDispatcher.webhookConfigured,
  ({ db }: Pick<Deps, 'db'>, told) => db.$transaction((tx) => followWebhook(tx, told, true)),
);

export const webhookRemoved = onEvent(webhookDispatcher.webhookRemoved, ({ db }: Pick<Deps, 'db'>, told) =>
  db.$transaction((tx) => followWebhook(tx, told, false)),
);

/** A job's answers say how far the delivery of its newest event is, in whatever order that is told. */
export const jobDeliveryChanged = onEvent(
  webhookDispatcher.jobDeliveryChanged,
  async ({ db }: Deps, { jobId: id, status: webhookStatus, version: webhookVersion }) => {
    const where = { id, webhookVersion: { lt: webhookVersion } };
    await db.job.updateMany({ where, data: { webhookStatus, webhookVersion } });
  },
);
