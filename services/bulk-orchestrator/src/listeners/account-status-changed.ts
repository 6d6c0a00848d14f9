import { type AccountStatus, identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { cancelLocked } from '../application/cancel-job.ts';
import type { Locked } from '../application/change-job.ts';
import { pauseJob, resumeJob } from '../application/pause-job.ts';
import type { Deps } from '../deps.ts';
import { activeJobsOf } from '../store/clocks.ts';
import { databaseNow, lockJob } from '../store/jobs.ts';

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
