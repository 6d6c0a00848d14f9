import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { deleteSession } from '../store/sessions.ts';

/** Ending a session that is not there is the same as ending it. */
export const endSession = onCommand(
  identity.endSession,
  async ({ db, vault }: Pick<Deps, 'db' | 'vault'>, { sessionDigest }) => {
    await deleteSession(db, vault.keyedDigest(sessionDigest));
    return {};
  },
);
