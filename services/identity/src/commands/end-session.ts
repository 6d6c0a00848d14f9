import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { deleteSession } from '../store/sessions.ts';

/** Ending a session that is not there is the same as ending it. */
export const endSession = onCommand(identity.endSession, async (deps: Deps, { sessionDigest }) => {
  await deleteSession(deps.db, deps.vault.keyedDigest(sessionDigest));
  return {};
});
