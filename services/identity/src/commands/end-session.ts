import { identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { endTheseSessions } from '../application/end-sessions.ts';
import type { Deps } from '../deps.ts';
import { findSessionId } from '../store/sessions.ts';

/** Ending a session that is not there is the same as ending it. */
export const endSession = onCommand(
  identity.endSession,
  async ({ db, messaging, vault }: Pick<Deps, 'db' | 'messaging' | 'vault'>, { sessionDigest }) => {
    const id = await findSessionId(db, vault.keyedDigest(sessionDigest));
    if (id !== null) await messaging.transaction(db, (tx, send) => endTheseSessions({ tx, send }, [id]));
    return {};
  },
);
