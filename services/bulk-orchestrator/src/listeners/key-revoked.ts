import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { changeJob } from '../application/change-job.ts';
import { pauseJob } from '../application/pause-job.ts';
import type { Deps } from '../deps.ts';
import { activeJobsOf } from '../store/clocks.ts';

/** What a key began that was cut off begins nothing more, until an active key takes it over. Pausing twice is pausing once. */
export const keyRevoked = onEvent(identity.keyRevoked, async (deps: Deps, { accountId, keyId, atOnce }) => {
  if (!atOnce) return;
  for (const id of await activeJobsOf(deps.db, { accountId, keyId }))
    await changeJob(deps, id, async (locked) =>
      locked.job.keyId === keyId ? pauseJob(locked, { reason: 'key_revoked', lookAt: null }) : null,
    );
});
