import type { Deps } from '../deps.ts';
import { deleteSession } from '../store/sessions.ts';
import type { IdentityHandlers } from '../surface.ts';

/** Ending a session that is not there is the same as ending it. */
export const endSession =
  (deps: Deps): IdentityHandlers['commands']['end-session'] =>
  async ({ sessionDigest }) => {
    await deleteSession(deps.db, deps.vault.keyedDigest(sessionDigest));
    return {};
  };
