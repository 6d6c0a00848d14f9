import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { endTheseSessions } from '../application/end-sessions.ts';
import type { Deps } from '../deps.ts';
import { lockAccount } from '../store/accounts.ts';
import { insertAuditEntries } from '../store/audit-entries.ts';
import { findLiveSession, findLiveSessions } from '../store/sessions.ts';

/** Of two sessions that end each other at once, one is first, and the other has ended by then. */
export const endSessions = onCommand(
  identity.endSessions,
  async (
    { db, messaging, vault, now }: Pick<Deps, 'db' | 'messaging' | 'vault' | 'now'>,
    { accountId, sessionDigest, sessionId, clientAddress },
    { requestId, record },
  ) => {
    const at = now();
    const ended = await messaging.transaction(db, async (tx, send) => {
      await lockAccount(tx, accountId);
      const own = await findLiveSession(tx, vault.keyedDigest(sessionDigest), at);
      if (own?.accountId !== accountId) throw serviceError('session_required');
      const live = await findLiveSessions(tx, accountId, at);
      const wanted = live.filter(({ id }) => (sessionId === null ? id !== own.id : id === sessionId));
      const count = await endTheseSessions(
        { tx, send },
        wanted.map(({ id }) => id),
      );
      if (count === 0) return 0;
      const detail = sessionId ?? `all others: ${count}`;
      const who = { actor: 'holder', accountId, requestId, clientAddress } as const;
      await insertAuditEntries(tx, [{ at, action: 'sessions-ended', detail, ...who }]);
      return count;
    });
    if (ended === 0 && sessionId !== null) throw serviceError('session_not_found');
    record.add({ ended });
    return { ended };
  },
);
